// A thread gives its reference up while main makes the count a global one, gives the last one up, and frees it.
#include <folly/experimental/TLRefCount.h>

#include <memory>
#include <thread>

int main() {
  auto* const count = new folly::TLRefCount;
  ++*count;
  std::thread other([=] {
    if (--*count == 0) delete count;
  });
  count->useGlobal();
  if (--*count == 0) delete count;
  other.join();
}
