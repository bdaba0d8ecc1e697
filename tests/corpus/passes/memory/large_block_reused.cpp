// Blocks too large for the quarantine are freed, touched and untouched, and handed out again at once: nobody
// takes the new owner's accesses for those of the old.
#include <cstddef>
#include <mutex>
#include <thread>

constexpr std::size_t k_size = 20 << 20;

std::mutex mutex;
long total = 0;

void use() {
  for (int i = 0; i < 2; ++i) {
    char* block = new char[k_size];
    for (std::size_t at = 0; at < k_size; at += k_size / 4 + 8) block[at] = 1;
    char* other = new char[k_size];
    {
      std::lock_guard lock(mutex);
      total += block[0];
    }
    delete[] other;
    delete[] block;
  }
}

int main() {
  std::thread one(use), two(use);
  one.join();
  two.join();
  return total == 4 ? 0 : 1;
}
