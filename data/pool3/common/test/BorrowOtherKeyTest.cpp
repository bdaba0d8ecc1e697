// While a thread waits for an object of one key, another thread borrows an object of another key.
#undef NDEBUG
#include <cassert>
#include <thread>

#include "CountingFactory.h"
#include "pool/GenericKeyedObjectPool.h"

using namespace pool;

namespace {

void testBorrowOtherKey() {
  CountingFactory factory;
  Config config;
  config.maxActive = 1;
  GenericKeyedObjectPool pool(factory, config);
  Object* one = pool.borrowObject("one");

  std::thread waiting([&] { pool.returnObject("one", pool.borrowObject("one")); });
  Object* two = pool.borrowObject("two");
  pool.returnObject("one", one);
  waiting.join();
  pool.returnObject("two", two);
  assert(factory.getAlive() == 2);
}

} // namespace

int main() { testBorrowOtherKey(); }
