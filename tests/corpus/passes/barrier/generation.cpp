// A hand-made barrier with generations is used twice.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

class Barrier {
public:
  void arrive() {
    std::unique_lock lock(m_mutex);
    const int generation = m_generation;
    if (++m_arrived == 2) {
      m_arrived = 0;
      ++m_generation;
      m_opened.notify_all();
      return;
    }
    m_opened.wait(lock, [&] { return generation != m_generation; });
  }

private:
  std::mutex m_mutex;
  std::condition_variable m_opened;
  int m_arrived = 0;
  int m_generation = 0;
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
