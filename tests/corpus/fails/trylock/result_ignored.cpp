// A thread continues with its work although it did not get the lock.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
std::atomic<int> value{0};

void work() {
  const bool locked = mutex.try_lock();
  value.store(value.load() + 1);
  if (locked) mutex.unlock();
}

int main() {
  std::thread one(work), two(work);
  one.join();
  two.join();
  assert(value.load() == 2);
  return 0;
}
