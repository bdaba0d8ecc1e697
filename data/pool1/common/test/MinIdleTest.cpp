// While a thread sees to it that there is an idle object, another one borrows. There are never more objects than the
// pool may have.
#undef NDEBUG
#include <cassert>
#include <cstdio>
#include <thread>

#include "LimitedFactory.h"
#include "pool/GenericObjectPool.h"

using namespace pool;

namespace {

void testMinIdleAndBorrow() {
  constexpr int maxActive = 2;
  LimitedFactory factory(maxActive);
  Config config;
  config.maxActive = maxActive;
  config.minIdle = 1;
  GenericObjectPool pool(factory, config);
  Object* first = pool.borrowObject();
  Object* second = nullptr;
  bool failed = false;

  std::thread minIdle([&] {
    try {
      pool.ensureMinIdle();
    } catch (const std::exception&) {
      // The next time will do.
    }
  });
  std::thread borrower([&] {
    try {
      second = pool.borrowObject();
    } catch (const std::exception& e) {
      std::fprintf(stderr, "could not borrow: %s\n", e.what());
      failed = true;
    }
  });
  minIdle.join();
  borrower.join();
  assert(!failed);
  pool.returnObject(second);
  pool.returnObject(first);
}

} // namespace

int main() { testMinIdleAndBorrow(); }
