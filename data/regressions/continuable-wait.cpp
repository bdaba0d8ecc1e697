// A continuable that another thread resolves is waited for.
// Needs function2 of the same author.
#include <continuable/continuable.hpp>
#include <cassert>
#include <thread>

int main() {
  std::thread worker;
  auto answer = cti::make_continuable<int>([&](auto&& promise) {
    worker = std::thread([promise = std::forward<decltype(promise)>(promise)]() mutable { promise.set_value(42); });
  });
  assert(std::move(answer).apply(cti::transforms::wait()) == 42);
  worker.join();
}
