// main returns a failing status if an update was lost.
#include <atomic>
#include <thread>

std::atomic<int> counter{0};

void increment() { counter.store(counter.load() + 1); }

int main() {
  std::thread one(increment), two(increment);
  one.join();
  two.join();
  return counter.load() == 2 ? 0 : 3;
}
