// Who waits for a pool of one thread has the results of both tasks.
#include <atomic>
#include <cassert>

#include "hthreadpool.h"

int main() {
  HThreadPool pool(1, 1);
  std::atomic<int> done{0};
  pool.start(1);
  pool.commit([&] { ++done; });
  pool.commit([&] { ++done; });
  pool.wait();
  assert(done == 2);
}
