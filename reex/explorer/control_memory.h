// The parent's side of the shared control block (reex/shared/control.h): a sparse memory file that the test
// inherits.
#pragma once

#include "reex/shared/control.h"

namespace reex {

class ControlMemory {
public:
  ControlMemory(); // throws std::system_error
  ~ControlMemory();
  ControlMemory(const ControlMemory&) = delete;
  ControlMemory& operator=(const ControlMemory&) = delete;

  ControlBlock& operator*() const { return *m_control; }
  ControlBlock* operator->() const { return m_control; }
  int descriptor() const { return m_descriptor; }

  // Waits until the test has something to say, at most `milliseconds`.
  void wait(std::uint32_t seen, int milliseconds) const;

private:
  int m_descriptor = -1;
  ControlBlock* m_control = nullptr;
};

// Wakes whoever waits for the word to change.
void futex_wake(std::atomic<std::uint32_t>& word);

} // namespace reex
