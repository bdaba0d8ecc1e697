// A blocking queue with a capacity, and the errors of its callers as results.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>

class BoundedQueue {
public:
  explicit BoundedQueue(std::size_t capacity) : m_capacity(capacity) {}

  // False if the queue is full.
  bool add(int item) {
    const std::lock_guard lock(m_mutex);
    if (m_items.size() == m_capacity) return false;
    m_items.push_back(item);
    m_not_empty.notify_one();
    return true;
  }
  // Waits for room. False if the queue was closed.
  bool put(int item) {
    std::unique_lock lock(m_mutex);
    m_not_full.wait(lock, [this] { return m_closed || m_items.size() < m_capacity; });
    if (m_closed) return false;
    m_items.push_back(item);
    m_not_empty.notify_one();
    return true;
  }
  // Waits for an item. Nothing if the queue was closed.
  std::optional<int> take() {
    std::unique_lock lock(m_mutex);
    m_not_empty.wait(lock, [this] { return m_closed || !m_items.empty(); });
    if (m_items.empty()) return {};
    const int item = m_items.front();
    m_items.pop_front();
    m_not_full.notify_one();
    return item;
  }
  std::optional<int> poll() {
    const std::lock_guard lock(m_mutex);
    if (m_items.empty()) return {};
    const int item = m_items.front();
    m_items.pop_front();
    m_not_full.notify_one();
    return item;
  }
  std::size_t size() {
    const std::lock_guard lock(m_mutex);
    return m_items.size();
  }
  void close() {
    const std::lock_guard lock(m_mutex);
    m_closed = true;
    m_not_empty.notify_all();
    m_not_full.notify_all();
  }

private:
  const std::size_t m_capacity;
  std::mutex m_mutex;
  std::condition_variable m_not_empty;
  std::condition_variable m_not_full;
  std::deque<int> m_items;
  bool m_closed = false;
};
