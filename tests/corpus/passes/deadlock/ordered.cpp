// Two locks, always in the same order.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex outer, inner;
int value = 0;

void work() {
  std::lock_guard first(outer);
  std::lock_guard second(inner);
  ++value;
}

int main() {
  std::thread one(work), two(work);
  one.join();
  two.join();
  assert(value == 2);
  return 0;
}
