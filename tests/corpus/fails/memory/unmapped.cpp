// A thread unmaps memory that the other one may still use.
#include <sys/mman.h>
#include <thread>

int main() {
  constexpr std::size_t k_page = 4096;
  auto* page =
      static_cast<int*>(mmap(nullptr, k_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  std::thread other([page] { *page = 1; });
  munmap(page, k_page);
  other.join();
}
