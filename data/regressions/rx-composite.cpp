// A subscription that is added while its owner is being unsubscribed is unsubscribed, too.
#include <rxcpp/rx.hpp>
#include <cassert>
#include <thread>

int main() {
  rxcpp::composite_subscription owner;
  std::atomic<int> released{0};
  std::thread other([&] { owner.unsubscribe(); });
  owner.add([&] { ++released; });
  other.join();
  assert(released == 1);
}
