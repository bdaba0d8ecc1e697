// An increment that consists of a load and a store.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> counter{0};

void increment() { counter.store(counter.load() + 1); }

int main() {
  std::thread one(increment), two(increment);
  one.join();
  two.join();
  assert(counter.load() == 2);
  return 0;
}
