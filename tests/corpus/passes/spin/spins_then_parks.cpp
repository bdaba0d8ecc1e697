// A lock that spins 110 times and then sleeps. Whatever the path, the thread wakes up.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
std::atomic<bool> ready{false};

void wait() {
  for (int i = 0; i < 110; ++i)
    if (ready.load()) return;
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [] { return ready.load(); });
}

int main() {
  std::thread waiter(wait);
  {
    const std::lock_guard<std::mutex> lock(mutex);
    ready.store(true);
  }
  changed.notify_one();
  waiter.join();
  return 0;
}
