// g_base is set once, in the zygote. g_tops, g_used and g_has_mapped belong to one execution:
// drop_mappings sets them back.
#include "reex/runtime/memory/mapped_memory.h"

#include <sys/mman.h>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/shared/address_space.h"

namespace reex {
namespace {

constexpr std::size_t k_page = 4096;
constexpr std::size_t k_half = std::size_t{1} << 32; // addresses with the same upper half
constexpr std::size_t k_region = k_mapped_addresses / k_max_threads;
static_assert(k_mapped_addresses % k_half == 0 && k_region % k_page == 0);

// May be mapped without a trace: these flags change neither the contents nor the address.
constexpr int k_known_flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_POPULATE | MAP_STACK;

char* g_base = nullptr;              // null: there was no room
std::size_t g_tops[k_max_threads]{}; // by slot: how much of the thread's region was handed out
unsigned g_used = 0;                 // slots from here on have mapped nothing
bool g_has_mapped = false;           // the execution has mapped something, here or elsewhere

char* map_at(char* address, std::size_t size, int protection, int flags) {
  const long made = raw_syscall(SYS_mmap, as_long(address), static_cast<long>(size), protection,
                                flags | MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  return made < 0 && made > -4096 ? nullptr : reinterpret_cast<char*>(made);
}

// Nobody can access the range, and its addresses stay reserved.
bool reserve(char* address, std::size_t size) {
  return map_at(address, size, PROT_NONE, MAP_NORESERVE) != nullptr;
}

std::size_t whole_pages(std::size_t size) { return (size + k_page - 1) / k_page * k_page; }

} // namespace

void reserve_mappings() {
  const long made = raw_syscall(SYS_mmap, 0, k_mapped_addresses + k_half, PROT_NONE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (made < 0 && made > -4096) return;
  g_base = reinterpret_cast<char*>((static_cast<std::uintptr_t>(made) + k_half - 1) / k_half * k_half);
}

UpperHalves reserved_mappings() {
  if (g_base == nullptr) return {};
  return {static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(g_base) / k_half),
          static_cast<std::uint32_t>(k_mapped_addresses / k_half)};
}

void* map_under_control(void* wanted, std::size_t size, int protection, int flags) {
  g_has_mapped = g_has_mapped || g.controlled;
  if (g_base == nullptr || !g.controlled || g.forked_off || wanted != nullptr || size == 0 ||
      size > k_region || (flags & (MAP_PRIVATE | MAP_ANONYMOUS)) != (MAP_PRIVATE | MAP_ANONYMOUS) ||
      (flags & ~k_known_flags) != 0 || (protection & PROT_EXEC) != 0)
    return nullptr;
  const unsigned slot = g.current->slot;
  std::size_t& top = g_tops[slot];
  const std::size_t length = whole_pages(size);
  if (top + length > k_region) return nullptr;
  char* const made = map_at(g_base + slot * k_region + top, length, protection, flags);
  if (made == nullptr) return nullptr;
  top += length;
  if (slot >= g_used) g_used = slot + 1;
  if (g_fingerprinting) fingerprint_value(reinterpret_cast<std::uint64_t>(made));
  return made;
}

bool unmap_under_control(const void* address, std::size_t size) {
  char* const low = static_cast<char*>(const_cast<void*>(address));
  if (g_base == nullptr || size == 0 || size > k_mapped_addresses || low < g_base ||
      low + whole_pages(size) > g_base + k_mapped_addresses ||
      reinterpret_cast<std::uintptr_t>(low) % k_page != 0)
    return false;
  return reserve(low, whole_pages(size));
}

bool has_mapped_memory() { return g_has_mapped; }

void drop_mappings() {
  for (unsigned slot = 0; slot < g_used; ++slot) {
    if (g_tops[slot] == 0) continue;
    if (!reserve(g_base + slot * k_region, g_tops[slot])) internal_error("mapped memory cannot be dropped");
    g_tops[slot] = 0;
  }
  g_used = 0;
  g_has_mapped = false;
}

} // namespace reex
