// What was scheduled on a pool is executed, also when the pool ends soon.
#include <async_simple/util/ThreadPool.h>
#include <atomic>
#include <cassert>

int main() {
  std::atomic<int> done{0};
  {
    async_simple::util::ThreadPool pool(2);
    for (int i = 0; i < 2; ++i) pool.scheduleById([&] { ++done; });
  }
  assert(done == 2);
}
