// Three threads take a lock for writing, one of them twice.
#include <folly/experimental/SharedMutex.h>

#include <atomic>
#include <thread>

int main() {
  folly::SharedMutexImpl<false, void, std::atomic, true> mutex;
  int value = 0;
  const auto add = [&] {
    mutex.lock();
    ++value;
    mutex.unlock();
  };
  std::thread one(add), two(add);
  add();
  add();
  one.join();
  two.join();
  return value == 4 ? 0 : 1;
}
