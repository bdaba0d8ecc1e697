// g_changed and g_count belong to one execution: restore_early_memory empties them.
#include "reex/runtime/memory/early_memory.h"

#include <cstdint>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/machine/kept_call.h"
#include "reex/runtime/memory/mapped_memory.h"
#include "reex/runtime/memory/memory_map.h"

namespace reex {
namespace {

struct Part {
  std::uintptr_t low;
  std::uintptr_t high;
  int access; // PROT_*, before the call
};
constexpr unsigned k_most_parts = 512;
Part g_changed[k_most_parts];
unsigned g_count = 0;

// What a call is about.
struct Wanted {
  std::uintptr_t low;
  std::uintptr_t high;
  int access; // afterwards
  bool fits;  // a restore can take it back
};

// The access that the memory had at the start, if the execution has changed it. Null: it has not.
const Part* first_change(std::uintptr_t low, std::uintptr_t high) {
  for (unsigned i = 0; i < g_count; ++i)
    if (low >= g_changed[i].low && high <= g_changed[i].high) return &g_changed[i];
  return nullptr;
}

bool is_reserved(std::uintptr_t address) {
  const UpperHalves reserve = reserved_mappings();
  return address >> 32 >= reserve.first && address >> 32 < std::uint64_t{reserve.first} + reserve.count;
}

void look_at(const MappedRange& range, void* argument) {
  Wanted& wanted = *static_cast<Wanted*>(argument);
  const auto low = reinterpret_cast<std::uintptr_t>(range.low);
  const auto high = reinterpret_cast<std::uintptr_t>(range.high);
  if (high <= wanted.low || low >= wanted.high) return;
  const Part part{low > wanted.low ? low : wanted.low, high < wanted.high ? high : wanted.high, range.access};
  const Part* const first = first_change(part.low, part.high);
  const bool was_writable = ((first == nullptr ? part.access : first->access) & PROT_WRITE) != 0;
  if (range.shared || range.inode != 0 || g_count == k_most_parts ||
      (!was_writable && (wanted.access & PROT_WRITE) != 0))
    wanted.fits = false;
  else
    g_changed[g_count++] = part;
}

} // namespace

bool make_early_memory_call(long number, const long* a, long& answer) {
  constexpr std::uintptr_t k_page = 4096;
  const auto low = static_cast<std::uintptr_t>(a[0]);
  if (a[1] <= 0 || low % k_page != 0 || is_reserved(low)) return false;
  const std::uintptr_t high = low + ((static_cast<std::uintptr_t>(a[1]) + k_page - 1) & ~(k_page - 1));
  const bool unmaps = number == SYS_munmap;
  Wanted wanted{low, high, unmaps ? PROT_NONE : static_cast<int>(a[2]), true};
  const unsigned before = g_count;
  for_each_mapping(look_at, &wanted);
  std::uintptr_t covered = 0;
  for (unsigned i = before; i < g_count; ++i) covered += g_changed[i].high - g_changed[i].low;
  if (!wanted.fits || covered != high - low) {
    g_count = before;
    return false;
  }
  answer = reex_kept_call(SYS_mprotect, a[0], a[1], wanted.access);
  if (answer < 0) g_count = before;
  return true;
}

bool has_changed_early_memory() { return g_count != 0; }

void restore_early_memory() {
  while (g_count > 0) {
    const Part& part = g_changed[--g_count];
    if (reex_kept_call(SYS_mprotect, static_cast<long>(part.low), static_cast<long>(part.high - part.low),
                       part.access) != 0)
      internal_error("memory cannot get its access back");
  }
}

} // namespace reex
