// The last element may be removed between the check of the size and the access.
#include <mutex>
#include <thread>
#include <vector>

std::mutex mutex;
std::vector<int> values{7};

std::size_t size() {
  std::lock_guard lock(mutex);
  return values.size();
}

int main() {
  std::thread reader([] {
    const std::size_t count = size();
    if (count == 0) return;
    std::lock_guard lock(mutex);
    values.at(count - 1) = 8;
  });
  std::thread remover([] {
    std::lock_guard lock(mutex);
    values.clear();
  });
  reader.join();
  remover.join();
  return 0;
}
