// Two threads each keep one of two promises, and what waits for both of them is told once.
#include <pistache/async.h>

#include <cassert>
#include <string>
#include <thread>

using namespace Pistache;

int main() {
  Async::Deferred<int> one;
  Async::Deferred<std::string> two;
  Async::Promise<int> first([&](Async::Deferred<int> deferred) { one = std::move(deferred); });
  Async::Promise<std::string> second([&](Async::Deferred<std::string> deferred) { two = std::move(deferred); });
  int told = 0;
  Async::whenAll(first, second).then([&](const std::tuple<int, std::string>& results) {
    assert(std::get<0>(results) == 7 && std::get<1>(results) == "seven");
    ++told;
  }, Async::NoExcept);
  std::thread t1([&] { one.resolve(7); });
  std::thread t2([&] { two.resolve(std::string("seven")); });
  t1.join();
  t2.join();
  assert(told == 1);
}
