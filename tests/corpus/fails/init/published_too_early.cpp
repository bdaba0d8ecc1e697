// Double-checked initialization that sets the flag before the value.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
std::atomic<bool> ready{false};
std::atomic<int> value{0};

int get() {
  if (!ready.load()) {
    std::lock_guard lock(mutex);
    if (!ready.load()) {
      ready.store(true);
      value.store(42);
    }
  }
  return value.load();
}

int main() {
  std::thread one([] { assert(get() == 42); });
  std::thread two([] { assert(get() == 42); });
  one.join();
  two.join();
  return 0;
}
