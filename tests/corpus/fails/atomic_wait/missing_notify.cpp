// The value changes, but nobody wakes the thread that waits for it.
#include <atomic>
#include <thread>

std::atomic<int> state{0};

int main() {
  std::thread waiter([] { state.wait(0); });
  state.store(1);
  waiter.join();
  return 0;
}
