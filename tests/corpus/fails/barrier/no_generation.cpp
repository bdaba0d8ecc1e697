// A hand-made barrier without generations is used twice. A fast thread may enter the second round before a
// slow thread has left the first.
#include <condition_variable>
#include <mutex>
#include <thread>

class Barrier {
public:
  void arrive() {
    std::unique_lock lock(m_mutex);
    if (++m_arrived == 2) {
      m_arrived = 0;
      m_opened.notify_all();
      return;
    }
    while (m_arrived != 0) m_opened.wait(lock);
  }

private:
  std::mutex m_mutex;
  std::condition_variable m_opened;
  int m_arrived = 0;
};

int main() {
  Barrier barrier;
  const auto work = [&] {
    barrier.arrive();
    barrier.arrive();
  };
  std::thread one(work), two(work);
  one.join();
  two.join();
  return 0;
}
