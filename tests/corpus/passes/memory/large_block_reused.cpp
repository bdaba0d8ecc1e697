// Blocks that are too large for the quarantine are freed, used or unused, and allocated again at once. reex
// must not confuse the accesses of the new owner with those of the old owner.
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
