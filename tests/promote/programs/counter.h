#pragma once
#include <atomic>
#include <mutex>

// Two threads that add at once may count once.
class Counter {
public:
  void add() {
    const int seen = m_value.load();
    m_value.store(seen + 1);
  }
  int value() const { return m_value.load(); }

private:
  std::mutex m_mutex;
  std::atomic<int> m_value{0};
};
