// Memory that is unmapped after its last use, and mapped anew at the same address by another thread.
#include <mutex>
#include <sys/mman.h>
#include <thread>

namespace {

constexpr std::size_t k_page = 4096;
std::mutex mutex;

int* map(int* address) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | (address != nullptr ? MAP_FIXED : 0);
  return static_cast<int*>(mmap(address, k_page, PROT_READ | PROT_WRITE, flags, -1, 0));
}

} // namespace

int main() {
  int* const page = map(nullptr);
  int users = 2;
  const auto use = [&] {
    const std::lock_guard lock(mutex);
    *page = 1;
    if (--users == 0) munmap(page, k_page);
  };
  std::thread one(use), two(use);
  one.join();
  two.join();
  std::thread other([page] { *map(page) = 1; });
  other.join();
}
