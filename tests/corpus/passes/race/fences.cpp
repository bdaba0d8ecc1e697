// Fences order the accesses; the relaxed operations on the flag do not: no race.
#include <atomic>
#include <cstdio>
#include <thread>

int data = 0;
std::atomic<bool> ready{false};

int main() {
  std::thread writer([] {
    data = 1;
    std::atomic_thread_fence(std::memory_order_release);
    ready.store(true, std::memory_order_relaxed);
  });
  std::thread reader([] {
    if (!ready.load(std::memory_order_relaxed)) return;
    std::atomic_thread_fence(std::memory_order_acquire);
    std::printf("%d\n", data);
  });
  writer.join();
  reader.join();
  return 0;
}
