// A latch, a barrier, a semaphore, and a lock for readers and writers, each of a mutex and a condition.
#pragma once

#include <condition_variable>
#include <mutex>

class Latch {
public:
  explicit Latch(int count) : m_count(count) {}
  void count_down() {
    const std::lock_guard lock(m_mutex);
    if (--m_count == 0) m_zero.notify_all();
  }
  void wait() {
    std::unique_lock lock(m_mutex);
    m_zero.wait(lock, [this] { return m_count == 0; });
  }
  int count() {
    const std::lock_guard lock(m_mutex);
    return m_count;
  }

private:
  std::mutex m_mutex;
  std::condition_variable m_zero;
  int m_count;
};

class Barrier {
public:
  explicit Barrier(int parties) : m_parties(parties) {}
  // The number of those who are still to come; 0 for the last one.
  int arrive_and_wait() {
    std::unique_lock lock(m_mutex);
    const int round = m_round;
    const int missing = m_parties - ++m_waiting;
    if (missing == 0) {
      m_waiting = 0;
      ++m_round;
      m_over.notify_all();
    } else {
      m_over.wait(lock, [&] { return m_round != round; });
    }
    return missing;
  }
  int waiting() {
    const std::lock_guard lock(m_mutex);
    return m_waiting;
  }

private:
  const int m_parties;
  std::mutex m_mutex;
  std::condition_variable m_over;
  int m_waiting = 0;
  int m_round = 0;
};

class Semaphore {
public:
  explicit Semaphore(int permits) : m_permits(permits) {}
  void acquire() {
    std::unique_lock lock(m_mutex);
    ++m_waiting;
    m_free.wait(lock, [this] { return m_permits > 0; });
    --m_waiting;
    --m_permits;
  }
  void release() {
    const std::lock_guard lock(m_mutex);
    ++m_permits;
    m_free.notify_one();
  }
  int permits() {
    const std::lock_guard lock(m_mutex);
    return m_permits;
  }
  int waiting() {
    const std::lock_guard lock(m_mutex);
    return m_waiting;
  }

private:
  std::mutex m_mutex;
  std::condition_variable m_free;
  int m_permits;
  int m_waiting = 0;
};

class ReadWriteLock {
public:
  void lock_read() {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return !m_writes; });
    ++m_readers;
  }
  void unlock_read() {
    const std::lock_guard lock(m_mutex);
    if (--m_readers == 0) m_changed.notify_all();
  }
  void lock_write() {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return !m_writes && m_readers == 0; });
    m_writes = true;
  }
  void unlock_write() {
    const std::lock_guard lock(m_mutex);
    m_writes = false;
    m_changed.notify_all();
  }
  int readers() {
    const std::lock_guard lock(m_mutex);
    return m_readers;
  }

private:
  std::mutex m_mutex;
  std::condition_variable m_changed;
  int m_readers = 0;
  bool m_writes = false;
};
