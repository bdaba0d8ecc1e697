// A lock that consists of an atomic_flag.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic_flag flag = ATOMIC_FLAG_INIT;
int value = 0;

void work() {
  while (flag.test_and_set()) {
  }
  ++value;
  flag.clear();
}

int main() {
  std::thread one(work), two(work);
  one.join();
  two.join();
  assert(value == 2);
  return 0;
}
