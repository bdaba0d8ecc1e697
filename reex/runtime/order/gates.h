// Which objects threads would have to wait for, in the execution under way or in a schedule that is followed
// in memory: locks, semaphores, guards of initializations. Each such object has a gate. Its state is
// 0: open to all; negative: open to readers; else open to that thread's number + 1 at most.
//
// Callers: the fingerprint, which holds what the script is told against it; the foresight.
//
// Cost: one look-up for each call. 12 KB.
#pragma once

#include <cstdint>

namespace reex {

class Gates {
public:
  // As at the start of an execution: those are closed that were closed before the first thread.
  void begin();

  int state_of(std::uint64_t object) const {
    const Known& known = m_known[index_of(object)];
    return known.start == m_start ? known.state : 0;
  }
  // False: there are too many.
  bool set(std::uint64_t object, int state);

private:
  struct Known {
    std::uint64_t object;
    std::uint64_t start; // if it is not m_start, the entry is free
    int state;
  };
  static constexpr unsigned k_size = 512;
  static constexpr unsigned k_most = k_size / 4 * 3;

  unsigned index_of(std::uint64_t object) const {
    for (std::uint64_t i = object * 0x9e3779b97f4a7c15 >> 32;; ++i) {
      const Known& known = m_known[i % k_size];
      if (known.start != m_start || known.object == object) return i % k_size;
    }
  }

  Known m_known[k_size] = {};
  std::uint64_t m_start = 0;
  unsigned m_count = 0;
};

// Before the first thread: the gate's state from now on.
void note_start(std::uint64_t object, int state);
// More were closed at once than can be remembered.
bool is_start_known();

} // namespace reex
