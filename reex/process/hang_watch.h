// Finds out that a test process makes no progress, and says what to do about it. It trusts no counter of the
// shared memory alone: whether there is a worker, the kernel says.
#pragma once

#include <chrono>
#include <cstdint>

namespace reex {

class HangWatch {
public:
  using Clock = std::chrono::steady_clock;
  explicit HangWatch(std::chrono::milliseconds limit) : m_limit(limit) {}

  void begin() {
    m_since = Clock::now();
    m_looks = 0;
  }
  // Called ten times a second. `progress`: any number that changes with each operation. `waits`: nothing is
  // expected of the process at the moment. True: there was no progress for the limit, and time begins anew.
  bool look(std::uint64_t progress, bool waits);
  // How often in a row look() has said so, 1 at the first time.
  unsigned looks() const { return m_looks; }
  void soon() { m_since = Clock::now() - m_limit; } // the next look says so again, without progress

private:
  std::chrono::milliseconds m_limit;
  Clock::time_point m_since = Clock::now();
  std::uint64_t m_progress = 0;
  unsigned m_looks = 0;
};

} // namespace reex
