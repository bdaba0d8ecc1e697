// A thread spins 120 times, then it believes that nothing was begun. It is wrong only if it gives up between
// the two stores, long after it was put back for the first time.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> begun{false};
std::atomic<bool> done{false};

int main() {
  std::thread observer([] {
    for (int i = 0; i < 120; ++i)
      if (done.load()) return;
    assert(!begun.load());
  });
  std::thread worker([] {
    begun.store(true);
    done.store(true);
  });
  observer.join();
  worker.join();
  return 0;
}
