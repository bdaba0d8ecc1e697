// A thread uses a block of many pages after another thread has freed it, at a place that no thread had
// accessed before.
#include <cstddef>
#include <mutex>
#include <thread>

constexpr std::size_t k_size = 1 << 20;

std::mutex mutex;
char* shared = new char[k_size];

int main() {
  int seen = 0;
  std::thread reader([&] {
    char* block = nullptr;
    {
      std::lock_guard lock(mutex);
      block = shared;
    }
    if (block != nullptr) {
      block[k_size / 2 + 5] = 7;
      seen = block[k_size / 2 + 5];
    }
  });
  std::thread remover([] {
    std::lock_guard lock(mutex);
    delete[] shared;
    shared = nullptr;
  });
  reader.join();
  remover.join();
  return seen == 0 || seen == 7 ? 0 : 1;
}
