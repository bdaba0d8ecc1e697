// A promise is kept while main says what is to be done then.
#include <cassert>
#include <thread>

#include "async_simple/Future.h"
#include "async_simple/Promise.h"

int main() {
  async_simple::Promise<int> promise;
  auto future = promise.getFuture();
  std::thread worker([&] { promise.setValue(42); });
  int got = 0;
  std::move(future).setContinuation([&](async_simple::Try<int>&& value) { got = value.value(); });
  worker.join();
  assert(got == 42);
}
