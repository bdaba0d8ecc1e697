// An increment in one step.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> counter{0};

int main() {
  std::thread one([] { ++counter; }), two([] { ++counter; });
  one.join();
  two.join();
  assert(counter.load() == 2);
  return 0;
}
