// A thread keeps the pointer that another one has given to realloc. The lock orders them, so there is no
// race. The block has room for its new size, but its old pointer is not valid any more.
#include <cstdlib>
#include <mutex>
#include <thread>

int main() {
  std::mutex mutex;
  auto* numbers = static_cast<int*>(std::malloc(8 * sizeof(int)));
  int* first = numbers;
  *first = 1;
  std::thread other([&] {
    std::lock_guard lock(mutex);
    numbers = static_cast<int*>(std::realloc(numbers, 7 * sizeof(int)));
  });
  {
    std::lock_guard lock(mutex);
    *first = 2;
  }
  other.join();
  std::free(numbers);
}
