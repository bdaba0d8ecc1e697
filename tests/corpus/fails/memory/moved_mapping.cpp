// A thread moves a mapping that the other one may still use at its old place.
#include <sys/mman.h>
#include <thread>

int main() {
  constexpr std::size_t k_page = 4096;
  const auto map = [](std::size_t pages) {
    return mmap(nullptr, pages * k_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  };
  auto* page = static_cast<int*>(map(1));
  void* place = map(1);
  std::thread other([page] { *page = 1; });
  mremap(page, k_page, k_page, MREMAP_MAYMOVE | MREMAP_FIXED, place);
  other.join();
}
