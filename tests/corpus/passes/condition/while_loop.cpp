// The predicate is checked under the lock, before and after each sleep.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable filled;
int items = 0;

void consume() {
  std::unique_lock lock(mutex);
  filled.wait(lock, [] { return items > 0; });
  --items;
}

void produce() {
  std::lock_guard lock(mutex);
  ++items;
  filled.notify_one();
}

int main() {
  std::thread one(consume), two(consume);
  std::thread producer([] {
    produce();
    produce();
  });
  one.join();
  two.join();
  producer.join();
  assert(items == 0);
  return 0;
}
