// Every access is under the lock, or after the joins: no race.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
int counter = 0;

void increment() {
  std::lock_guard lock(mutex);
  counter = counter + 1;
}

int main() {
  counter = 1;
  std::thread one(increment), two(increment);
  one.join();
  two.join();
  assert(counter == 3);
  return 0;
}
