// A detached thread has ended. Main is now the only thread, but this does not order their accesses.
#include <atomic>
#include <thread>

int value = 0;
std::atomic<bool> ended{false};

int main() {
  std::thread([] {
    value = 1;
    ended.store(true, std::memory_order_relaxed);
  }).detach();
  while (!ended.load(std::memory_order_relaxed)) std::this_thread::yield();
  std::thread joined([] {});
  joined.join();
  value = 2;
  return 0;
}
