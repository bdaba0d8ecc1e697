// The flag is set without the lock. If it is set and notified between the waiter's check and its sleep, the
// wake-up is lost.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
std::atomic<bool> ready{false};

int main() {
  std::thread consumer([] {
    std::unique_lock lock(mutex);
    while (!ready.load()) changed.wait(lock);
  });
  std::thread producer([] {
    ready.store(true);
    changed.notify_one();
  });
  consumer.join();
  producer.join();
  return 0;
}
