#pragma once
#include <mutex>

// Two locks, which the two methods take in different orders.
class Pair {
public:
  void forth() {
    const std::lock_guard left(m_first);
    const std::lock_guard right(m_second);
    ++m_moves;
  }
  void back() {
    const std::lock_guard late(m_second);
    const std::lock_guard early(m_first);
    ++m_moves;
  }

private:
  std::mutex m_first, m_second;
  int m_moves = 0;
};
