// Two threads borrow the only object of a pool, twice each.
#include <cassert>
#include <thread>

#include "hobjectpool.h"

HObjectPool<int> g_pool(1, 1, 3000);

void work() {
  for (int i = 0; i < 2; ++i) {
    std::shared_ptr<int> one = g_pool.Borrow();
    assert(one != nullptr);
    ++*one;
    g_pool.Return(one);
  }
}

int main() {
  std::thread one(work);
  std::thread two(work);
  one.join();
  two.join();
}
