#include "reex/search/table_memory.h"

#include <sys/mman.h>

namespace reex {
namespace {

#ifdef MADV_COLLAPSE
constexpr int k_collapse = MADV_COLLAPSE;
#else
constexpr int k_collapse = 25;
#endif

constexpr std::size_t k_always_granted = std::size_t{64} << 20;

} // namespace

void use_large_pages(void* memory, std::size_t size) {
  if (size < k_large_page) return;
  volatile char* const begin = static_cast<char*>(memory);
  for (std::size_t at = 0; at < size; at += k_large_page) begin[at] = 0; // the kernel makes none of nothing
  advise(memory, size, k_collapse);
}

void give_back(void* memory, std::size_t size) { advise(memory, size, MADV_REMOVE); }

bool has_room_for(std::size_t size) {
  if (size <= k_always_granted) return true;
  const std::size_t available = available_memory();
  return available == 0 || size <= available / 4;
}

} // namespace reex
