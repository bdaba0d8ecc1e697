// A thread maps other memory over a page that the other one may still use.
#include <sys/mman.h>
#include <thread>

int main() {
  constexpr std::size_t k_page = 4096;
  const auto map = [](void* place, int flags) {
    return mmap(place, k_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
  };
  auto* page = static_cast<int*>(map(nullptr, 0));
  std::thread other([page] { *page = 1; });
  map(page, MAP_FIXED);
  other.join();
}
