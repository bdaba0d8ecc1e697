// condition_variable_any with a shared lock.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex mutex;
std::condition_variable_any changed;
bool ready = false;

int main() {
  std::thread reader([] {
    std::shared_lock lock(mutex);
    changed.wait(lock, [] { return ready; });
  });
  {
    std::lock_guard lock(mutex);
    ready = true;
  }
  changed.notify_all();
  reader.join();
  assert(ready);
  return 0;
}
