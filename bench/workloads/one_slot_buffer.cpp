// W4: a buffer with one slot and one condition variable; two producers and two consumers of one item each.
// Faulty: a thread that was woken does not check again (`if` instead of `while`).
#include <condition_variable>
#include <mutex>
#include <thread>

#include "bench/workloads/workload.h"

namespace {

class Buffer {
public:
  explicit Buffer(bool faulty) : m_faulty(faulty) {}

  void put() {
    std::unique_lock lock(m_mutex);
    wait_for(lock, false);
    require(!m_full);
    m_full = true;
    m_changed.notify_all();
  }
  void take() {
    std::unique_lock lock(m_mutex);
    wait_for(lock, true);
    require(m_full);
    m_full = false;
    m_changed.notify_all();
  }

private:
  void wait_for(std::unique_lock<std::mutex>& lock, bool full) {
    if (m_faulty) {
      if (m_full != full) m_changed.wait(lock);
    } else {
      while (m_full != full) m_changed.wait(lock);
    }
  }

  const bool m_faulty;
  std::mutex m_mutex;
  std::condition_variable m_changed;
  bool m_full = false;
};

} // namespace

int main(int count, char** arguments) {
  Buffer buffer(is_faulty(count, arguments));
  std::thread producer([&] { buffer.put(); });
  std::thread another_producer([&] { buffer.put(); });
  std::thread consumer([&] { buffer.take(); });
  std::thread another_consumer([&] { buffer.take(); });
  producer.join();
  another_producer.join();
  consumer.join();
  another_consumer.join();
}
