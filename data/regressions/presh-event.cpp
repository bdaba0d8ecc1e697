// Two threads put an item each and signal; who waits after both have signalled uses both items.
#include <atomic>
#include <cassert>
#include <thread>

#include "autoresetevent.h"

int main() {
  AutoResetEvent ready;
  std::atomic<int> done(0);
  int items[2] = {0, 0};
  auto produce = [&](int me) {
    items[me] = 1;
    ready.signal();
    done.fetch_add(1, std::memory_order_relaxed);
  };
  std::thread one(produce, 0);
  std::thread two(produce, 1);
  while (done.load(std::memory_order_relaxed) < 2) std::this_thread::yield();
  ready.wait();
  assert(items[0] + items[1] == 2);
  one.join();
  two.join();
}
