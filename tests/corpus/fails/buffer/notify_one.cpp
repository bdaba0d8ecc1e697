// One slot, two producers, two consumers, one condition for all: notify_one may wake a thread of the wrong
// kind.
#include <condition_variable>
#include <mutex>
#include <thread>

class Slot {
public:
  void put() {
    std::unique_lock lock(m_mutex);
    while (m_full) m_changed.wait(lock);
    m_full = true;
    m_changed.notify_one();
  }
  void get() {
    std::unique_lock lock(m_mutex);
    while (!m_full) m_changed.wait(lock);
    m_full = false;
    m_changed.notify_one();
  }

private:
  std::mutex m_mutex;
  std::condition_variable m_changed;
  bool m_full = false;
};

int main() {
  Slot slot;
  std::thread producers[] = {std::thread([&] { slot.put(); }), std::thread([&] { slot.put(); })};
  std::thread consumers[] = {std::thread([&] { slot.get(); }), std::thread([&] { slot.get(); })};
  for (std::thread& producer : producers) producer.join();
  for (std::thread& consumer : consumers) consumer.join();
  return 0;
}
