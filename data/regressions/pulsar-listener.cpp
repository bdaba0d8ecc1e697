// A promise is kept while another thread adds a listener: listeners are called one after the other.
#include <Future.h>

#include <cassert>
#include <thread>

int main() {
  pulsar::Promise<int, int> promise;
  auto future = promise.getFuture();
  int calls = 0;
  auto count = [&](int, const int&) { ++calls; };
  future.addListener(count);
  std::thread keeper([&] { promise.setValue(7); });
  future.addListener(count);
  int value = 0;
  future.get(value);
  keeper.join();
  assert(value == 7 && calls == 2);
}
