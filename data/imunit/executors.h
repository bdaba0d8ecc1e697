// A pool of threads, and a future.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

class Pool {
public:
  explicit Pool(int threads) {
    for (int i = 0; i < threads; ++i) m_threads.emplace_back([this] { work(); });
  }
  ~Pool() {
    {
      const std::lock_guard lock(m_mutex);
      m_stops = true;
      m_changed.notify_all();
    }
    for (std::thread& thread : m_threads) thread.join();
  }
  void submit(std::function<void()> task) {
    const std::lock_guard lock(m_mutex);
    m_tasks.push_back(std::move(task));
    m_changed.notify_all();
  }
  int done() {
    const std::lock_guard lock(m_mutex);
    return m_done;
  }

private:
  void work() {
    std::unique_lock lock(m_mutex);
    for (;;) {
      m_changed.wait(lock, [this] { return m_stops || !m_tasks.empty(); });
      if (m_tasks.empty()) return;
      const std::function<void()> task = std::move(m_tasks.front());
      m_tasks.pop_front();
      lock.unlock();
      task();
      lock.lock();
      ++m_done;
    }
  }

  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::deque<std::function<void()>> m_tasks;
  std::vector<std::thread> m_threads;
  int m_done = 0;
  bool m_stops = false;
};

class Promise {
public:
  void set(int value) {
    const std::lock_guard lock(m_mutex);
    m_value = value;
    m_set.notify_all();
  }
  int get() {
    std::unique_lock lock(m_mutex);
    m_set.wait(lock, [this] { return m_value.has_value(); });
    return *m_value;
  }
  bool is_set() {
    const std::lock_guard lock(m_mutex);
    return m_value.has_value();
  }

private:
  std::mutex m_mutex;
  std::condition_variable m_set;
  std::optional<int> m_value;
};
