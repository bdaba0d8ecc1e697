// A thread that does not get the lock does something else.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
int locked = 0;
std::atomic<int> passed{0};

void work() {
  if (mutex.try_lock()) {
    ++locked;
    mutex.unlock();
  } else {
    passed.fetch_add(1);
  }
}

int main() {
  std::thread one(work), two(work);
  one.join();
  two.join();
  assert(locked >= 1 && locked + passed.load() == 2);
  return 0;
}
