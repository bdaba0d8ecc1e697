// Two spin locks, taken in both orders.
#include <atomic>
#include <thread>

class SpinLock {
public:
  void lock() {
    while (m_taken.exchange(true)) std::this_thread::yield();
  }
  void unlock() { m_taken.store(false); }

private:
  std::atomic<bool> m_taken{false};
};

SpinLock first, second;

int main() {
  std::thread other([] {
    second.lock();
    first.lock();
    first.unlock();
    second.unlock();
  });
  first.lock();
  second.lock();
  second.unlock();
  first.unlock();
  other.join();
  return 0;
}
