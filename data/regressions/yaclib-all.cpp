// Two threads each give the value of one of two futures, and main waits for both.
#include <cassert>
#include <thread>

#include <yaclib/async/wait.hpp>
#include <yaclib/async/contract.hpp>
#include <yaclib/async/when_all.hpp>

int main() {
  auto [first, one] = yaclib::MakeContract<bool>();
  auto [second, two] = yaclib::MakeContract<bool>();
  auto all = yaclib::WhenAll(std::move(first), std::move(second));
  std::thread t1([p = std::move(one)]() mutable { std::move(p).Set(true); });
  std::thread t2([p = std::move(two)]() mutable { std::move(p).Set(true); });
  auto values = std::move(all).Get().Ok();
  t1.join();
  t2.join();
  assert(values[0] && values[1]);
}
