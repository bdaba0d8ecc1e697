// std::atomic::wait ends when the value changes and the waiting thread is notified.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> state{0};

int main() {
  std::thread waiter([] {
    state.wait(0);
    assert(state.load() == 1);
  });
  state.store(1);
  state.notify_one();
  waiter.join();
  return 0;
}
