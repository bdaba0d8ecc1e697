// A thread reads under the shared lock and writes later under the exclusive lock, without reading again.
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex mutex;
int value = 0;

void increment() {
  int seen = 0;
  {
    std::shared_lock lock(mutex);
    seen = value;
  }
  std::lock_guard lock(mutex);
  value = seen + 1;
}

int main() {
  std::thread one(increment), two(increment);
  one.join();
  two.join();
  assert(value == 2);
  return 0;
}
