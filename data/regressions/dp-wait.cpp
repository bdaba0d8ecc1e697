// Who has waited for the tasks sees what they did, also when the pool was idle in between.
#include <cassert>

#include "thread_pool/thread_pool.h"

int main() {
  dp::thread_pool pool(2);
  std::atomic<int> done{0};
  for (int i = 1; i <= 3; ++i) {
    pool.enqueue_detach([&] { ++done; });
    if (i == 1) continue;
    pool.wait_for_tasks();
    assert(done == i);
  }
}
