// main ends without waiting for the detached thread's work.
#include <atomic>
#include <thread>

std::atomic<bool> saved{false};

int main() {
  std::thread([] { saved.store(true); }).detach();
  return saved.load() ? 0 : 1;
}
