// All other threads sleep as the waiter wakes up for nothing.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

int main() {
  std::mutex mutex;
  std::condition_variable changed;
  bool ready = false;
  std::thread waiter([&] {
    std::unique_lock lock(mutex);
    if (!ready) changed.wait(lock);
    assert(ready);
  });
  std::this_thread::sleep_for(std::chrono::seconds(1));
  {
    std::lock_guard lock(mutex);
    ready = true;
    changed.notify_one();
  }
  waiter.join();
}
