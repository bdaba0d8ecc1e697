// wait() returns when the tasks are done.
#include "cxxpool.h"

int main() {
  cxxpool::thread_pool pool(2);
  auto first = pool.push([] { return 1; });
  auto second = pool.push([] { return 2; });
  pool.wait();
  if (first.get() + second.get() != 3) return 1;
}
