// A woken consumer does not check again, although the other consumer may have been faster.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable filled;
int items = 0;

void consume() {
  std::unique_lock lock(mutex);
  if (items == 0) filled.wait(lock);
  assert(items > 0);
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
  return 0;
}
