// Right only if nobody wakes up without a notification.
#include <cassert>
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
  {
    std::lock_guard lock(mutex);
    ready = true;
    changed.notify_one();
  }
  waiter.join();
}
