// The parent's side of the shared control block (reex/shared/control.h): a sparse file that the test
// inherits. In memory it is gone with the last process; in a folder (.reex/runs) it outlives them all, and a
// later run goes on from it.
#pragma once

#include <stdexcept>
#include <string>

#include "reex/shared/control.h"

namespace reex {

// A run cannot go on from where an earlier one was: one line.
struct ResumeError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class ControlMemory {
public:
  ControlMemory(); // in memory; throws std::system_error
  // In a file that takes the place of `path` with publish(), made with its folders. Where another run is
  // using that, in memory.
  static ControlMemory at(const std::string& path);
  // What an earlier run left in the file. Waits a little for its last processes. Throws ResumeError.
  static ControlMemory left_at(const std::string& path);
  ~ControlMemory();
  ControlMemory(ControlMemory&& other) noexcept;
  ControlMemory(const ControlMemory&) = delete;
  ControlMemory& operator=(const ControlMemory&) = delete;

  ControlBlock& operator*() const { return *m_control; }
  ControlBlock* operator->() const { return m_control; }
  int descriptor() const { return m_descriptor; }

  // Waits until the test has something to say, at most `milliseconds`.
  void wait(std::uint32_t seen, int milliseconds) const;

  const std::string& path() const { return m_path; } // "": in memory
  void publish();                                    // a run killed before has left nothing to go on from

private:
  ControlMemory(int descriptor, std::string path);
  void map();
  void initialize();

  int m_descriptor = -1;
  int m_replaced = -1; // what the file takes the place of; locked
  std::string m_path;
  ControlBlock* m_control = nullptr;
};

// Wakes whoever waits for the word to change.
void futex_wake(std::atomic<std::uint32_t>& word);

} // namespace reex
