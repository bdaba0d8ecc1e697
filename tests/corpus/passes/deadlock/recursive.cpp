// A thread that holds a recursive mutex can lock it again.
#include <cassert>
#include <mutex>
#include <thread>

std::recursive_mutex mutex;
int value = 0;

void add() {
  std::lock_guard lock(mutex);
  ++value;
}

void add_twice() {
  std::lock_guard lock(mutex);
  add();
  add();
}

int main() {
  std::thread one(add_twice), two(add_twice);
  one.join();
  two.join();
  assert(value == 4);
  return 0;
}
