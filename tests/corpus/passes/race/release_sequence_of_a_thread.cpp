// A thread that has published data stores to the flag again, relaxed: its release sequence goes on. No race.
#include <atomic>
#include <cassert>
#include <thread>

int main() {
  int data = 0;
  std::atomic<int> state{0};
  std::thread writer([&] {
    data = 42;
    state.store(1, std::memory_order_release);
    state.store(2, std::memory_order_relaxed);
  });
  if (state.load(std::memory_order_acquire) == 2) assert(data == 42);
  writer.join();
}
