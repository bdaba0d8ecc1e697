// Main joins each thread before it creates the next one, and works alone in between: no race.
#include <atomic>
#include <thread>

int value = 0;
std::atomic<int> published{0};
int behind_fence = 0;

int main() {
  std::thread first([] { value = 1; });
  first.join();
  value = value + 1;
  behind_fence = 1;
  std::atomic_thread_fence(std::memory_order_release);
  int seen = 0;
  std::thread second([&] {
    value = value + 1;
    if (published.load(std::memory_order_acquire) == 1) seen = behind_fence;
  });
  published.store(1, std::memory_order_relaxed);
  second.join();
  value = value + 1;
  return value == 4 && seen <= 1 ? 0 : 1;
}
