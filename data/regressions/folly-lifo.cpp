// A semaphore is shut down while a wait for it ends by its time.
#include <folly/synchronization/LifoSem.h>

#include <cassert>
#include <chrono>
#include <thread>

int main() {
  folly::LifoSem semaphore;
  std::thread waiter([&] {
    try {
      const bool taken = semaphore.try_wait_for(std::chrono::milliseconds(0));
      assert(!taken);
    } catch (const folly::ShutdownSemError&) {
    }
  });
  semaphore.shutdown();
  waiter.join();
  bool ended = false;
  try {
    semaphore.wait();
  } catch (const folly::ShutdownSemError&) {
    ended = true;
  }
  assert(ended);
}
