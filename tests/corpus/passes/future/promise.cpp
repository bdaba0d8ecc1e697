// The future gets the promise's value.
#include <cassert>
#include <future>
#include <thread>

int main() {
  std::promise<int> value;
  std::future<int> result = value.get_future();
  std::thread worker([&] { value.set_value(42); });
  assert(result.get() == 42);
  worker.join();
  return 0;
}
