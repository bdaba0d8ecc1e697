// A timed lock fails if its holder sleeps longer, and only then.
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

std::timed_mutex mutex;
bool held = false;

int main() {
  std::thread holder([] {
    std::lock_guard lock(mutex);
    held = true;
    std::this_thread::sleep_for(20ms);
    held = false;
  });
  std::thread other([] {
    if (!mutex.try_lock_for(10ms)) return;
    assert(!held);
    mutex.unlock();
  });
  holder.join();
  other.join();
  return 0;
}
