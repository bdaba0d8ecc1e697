// Two threads borrow the one object that there is, and both get it.
#undef NDEBUG
#include <cassert>
#include <thread>

#include "CountingFactory.h"
#include "pool/GenericObjectPool.h"

using namespace pool;

namespace {

void testBorrowAndReturn() {
  CountingFactory factory;
  Config config;
  config.maxActive = 1;
  GenericObjectPool pool(factory, config);

  std::thread thread1([&] { pool.returnObject(pool.borrowObject()); });
  std::thread thread2([&] { pool.returnObject(pool.borrowObject()); });
  thread1.join();
  thread2.join();
  assert(factory.getAlive() == 1);
}

} // namespace

int main() { testBorrowAndReturn(); }
