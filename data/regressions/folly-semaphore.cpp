// Three threads take a semaphore with one token, one after the other.
#include <folly/fibers/Semaphore.h>

#include <atomic>
#include <cassert>
#include <thread>

int main() {
  folly::fibers::Semaphore semaphore(1);
  std::atomic<int> inside{0};
  const auto enter = [&] {
    semaphore.wait();
    const int before = inside.fetch_add(1);
    assert(before == 0);
    inside.fetch_sub(1);
    semaphore.signal();
  };
  std::thread one(enter), two(enter);
  enter();
  one.join();
  two.join();
}
