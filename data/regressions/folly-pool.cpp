// Two threads take the last element of a pool, which then destroys what it has.
#include <folly/IndexedMemPool.h>

#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> alive{0};

struct Element {
  Element() { ++alive; }
  ~Element() { --alive; }
};

int main() {
  {
    folly::IndexedMemPool<Element, 1, 1, std::atomic, false, false> pool(1);
    std::thread other([&] { pool.allocIndex(); });
    pool.allocIndex();
    other.join();
  }
  assert(alive == 0);
}
