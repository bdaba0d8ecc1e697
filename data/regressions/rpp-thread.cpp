// A thread of the library sends a value, and is told to stop.
#include <rpp/rpp.hpp>
#include <atomic>

int main() {
  std::atomic<int> sum{0};
  auto subscription = rpp::source::just(rpp::schedulers::new_thread{}, 1) |
                      rpp::operators::subscribe_with_disposable([&](int value) { sum += value; });
  subscription.dispose();
  return sum < 2 ? 0 : 1;
}
