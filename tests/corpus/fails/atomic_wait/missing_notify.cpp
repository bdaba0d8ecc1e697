// The value changes, but who sleeps on it is not told.
#include <atomic>
#include <thread>

std::atomic<int> state{0};

int main() {
  std::thread waiter([] { state.wait(0); });
  state.store(1);
  waiter.join();
  return 0;
}
