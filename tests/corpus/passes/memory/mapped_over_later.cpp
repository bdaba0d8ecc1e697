// Pages that are moved, made smaller, and mapped over, when the other thread is done with them.
#include <cassert>
#include <sys/mman.h>
#include <thread>

int main() {
  constexpr std::size_t k_page = 4096;
  const auto map = [](void* place, std::size_t pages, int flags) {
    return static_cast<int*>(
        mmap(place, pages * k_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0));
  };
  int* pages = map(nullptr, 2, 0);
  int* place = map(nullptr, 1, 0);
  std::thread([=] { pages[0] = pages[k_page / sizeof(int)] = 1; }).join();
  mremap(pages, 2 * k_page, k_page, 0);
  mremap(pages, k_page, k_page, MREMAP_MAYMOVE | MREMAP_FIXED, place);
  assert(*place == 1);
  map(place, 1, MAP_FIXED);
  std::thread([=] { assert(*place == 0); }).join();
}
