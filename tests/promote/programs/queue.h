#pragma once
#include <condition_variable>
#include <deque>
#include <mutex>

class Queue {
public:
  void add(int item) {
    const std::lock_guard lock(m_mutex);
    m_items.push_back(item);
    if (m_items.size() == 1) m_not_empty.notify_one();
  }
  int take() {
    std::unique_lock lock(m_mutex);
    m_not_empty.wait(lock, [this] { return !m_items.empty(); });
    const int item = m_items.front();
    m_items.pop_front();
    return item;
  }

private:
  std::mutex m_mutex;
  std::condition_variable m_not_empty;
  std::deque<int> m_items;
};
