// The same with the pointer that realloc has returned; and blocks of several sizes keep what they hold.
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <thread>

int main() {
  std::mutex mutex;
  auto* numbers = static_cast<int*>(std::malloc(8 * sizeof(int)));
  for (int i = 0; i < 8; ++i) numbers[i] = i;
  std::thread other([&] {
    std::lock_guard lock(mutex);
    for (const int count : {7, 12, 3000, 2500, 7}) {
      numbers = static_cast<int*>(std::realloc(numbers, static_cast<std::size_t>(count) * sizeof(int)));
      for (int i = 0; i < 7; ++i) assert(numbers[i] == i);
    }
  });
  {
    std::lock_guard lock(mutex);
    for (int i = 0; i < 7; ++i) assert(numbers[i] == i);
  }
  other.join();
  std::free(numbers);
}
