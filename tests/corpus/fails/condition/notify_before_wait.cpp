// A wait without a predicate: a notification that comes first is lost.
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;

int main() {
  std::thread waiter([] {
    std::unique_lock lock(mutex);
    changed.wait(lock);
  });
  std::thread notifier([] {
    std::lock_guard lock(mutex);
    changed.notify_one();
  });
  waiter.join();
  notifier.join();
  return 0;
}
