// Double-checked initialization that sets the value before the flag.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
std::atomic<bool> ready{false};
std::atomic<int> value{0};
int made = 0;

int get() {
  if (!ready.load()) {
    std::lock_guard lock(mutex);
    if (!ready.load()) {
      value.store(42);
      ++made;
      ready.store(true);
    }
  }
  return value.load();
}

int main() {
  std::thread one([] { assert(get() == 42); });
  std::thread two([] { assert(get() == 42); });
  one.join();
  two.join();
  assert(made == 1);
  return 0;
}
