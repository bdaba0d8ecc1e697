// Nobody notifies the waiter. A spurious wake-up would save it, but need not come: a deadlock.
#include <condition_variable>
#include <mutex>
#include <thread>

int main() {
  std::mutex mutex;
  std::condition_variable changed;
  bool ready = false;
  std::thread waiter([&] {
    std::unique_lock lock(mutex);
    while (!ready) changed.wait(lock);
  });
  {
    std::lock_guard lock(mutex);
    ready = true;
  }
  waiter.join();
}
