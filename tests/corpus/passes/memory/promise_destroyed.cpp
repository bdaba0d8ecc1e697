// get() returns as soon as set_value() has stored the value. The state may be freed before set_value() wakes
// who waits: the wake names the address and touches nothing there.
#include <future>
#include <thread>

int main() {
  std::thread setter;
  int value = 0;
  {
    std::promise<int> promise;
    auto future = promise.get_future();
    setter = std::thread([&promise] { promise.set_value(42); });
    value = future.get();
  }
  setter.join();
  return value != 42;
}
