// Readers see both halves of an update, or none.
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex mutex;
int low = 0;
int high = 0;

void look() {
  std::shared_lock lock(mutex);
  assert(low == high);
}

int main() {
  std::thread one(look), two(look);
  std::thread writer([] {
    std::lock_guard lock(mutex);
    ++low;
    ++high;
  });
  one.join();
  two.join();
  writer.join();
  return 0;
}
