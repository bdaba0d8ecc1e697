// The constructor of a static object starts threads, and its destructor joins them.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

class Pool {
public:
  Pool() {
    for (int i = 0; i < 2; ++i) m_threads.emplace_back([this] { serve(); });
  }
  ~Pool() {
    {
      const std::lock_guard lock(m_mutex);
      m_stop = true;
    }
    m_changed.notify_all();
    for (std::thread& thread : m_threads) thread.join();
    assert(m_done == 1);
  }
  void post() {
    const std::lock_guard lock(m_mutex);
    ++m_posted;
    m_changed.notify_one();
  }

private:
  void serve() {
    std::unique_lock lock(m_mutex);
    for (;;) {
      m_changed.wait(lock, [this] { return m_posted > 0 || m_stop; });
      if (m_posted == 0) return;
      --m_posted;
      ++m_done;
    }
  }

  std::mutex m_mutex;
  std::condition_variable m_changed;
  int m_posted = 0;
  int m_done = 0;
  bool m_stop = false;
  std::vector<std::thread> m_threads;
};

Pool g_pool;

int main() { g_pool.post(); }
