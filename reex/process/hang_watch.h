// Finds out that a test process makes no progress, and says what it does instead. It trusts no counter of the
// shared memory alone: what a process does, the kernel says.
//
// What counts is the time of the processor that the process and its children have used without progress, so a
// busy machine never looks like a hang. A process that waits in the kernel uses none; for such a process, the
// time on the clock counts too, and more slowly while the machine has more to do than processors.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

#include <sys/types.h>

#include "reex/process/process_tree.h"

namespace reex {

class HangWatch {
public:
  using Clock = std::chrono::steady_clock;
  explicit HangWatch(std::chrono::milliseconds limit) : m_limit(limit) {}

  void begin();
  // Called about ten times a second. `progress`: any number that changes with each operation. `waits`:
  // nothing is expected of the process at the moment. `activity` is asked only if there was no progress for a
  // moment. True: there was no progress for the limit, and time begins anew.
  bool look(std::uint64_t progress, bool waits, const std::function<Activity()>& activity);
  bool looks_hung() const { return m_hung; } // look() has said so, and there was no progress since
  // The clock's time since look() has said so.
  std::chrono::milliseconds hung_for() const;

private:
  void take(const Activity& now);

  std::chrono::milliseconds m_limit;
  std::uint64_t m_progress = 0;
  unsigned m_looks = 0; // without progress
  Activity m_last;
  Clock::time_point m_last_look = Clock::now();
  Clock::time_point m_hung_since;
  std::chrono::nanoseconds m_used{0};
  std::chrono::nanoseconds m_waited{0};
  bool m_hung = false;
};

} // namespace reex
