#include "reex/runtime/snapshot.h"

#include <cstring>
#include <sys/mman.h>

#include "reex/runtime/donor.h"
#include "reex/runtime/heap.h"
#include "reex/runtime/memory_map.h"
#include "reex/runtime/modules.h"
#include "reex/runtime/runtime.h"

namespace reex {

namespace {

struct Range {
  char* low;
  char* high;
  char* image;
};

constexpr unsigned k_ranges = 1024;
constexpr std::size_t k_heap_space = std::size_t{64} << 30;

Range g_ranges[k_ranges];
unsigned g_range_count = 0;
HeapExtent g_heap{};

void add(char* low, char* high) {
  if (low >= high) return;
  if (g_range_count == k_ranges) internal_error("too many memory mappings");
  g_ranges[g_range_count++] = {low, high, nullptr};
}

// What lies in [low, high) but not in [hole_low, hole_high) stays; applied to all ranges.
void cut(const char* hole_low, const char* hole_high) {
  const unsigned before = g_range_count;
  for (unsigned i = 0; i < before; ++i) {
    Range& range = g_ranges[i];
    if (range.low >= hole_high || range.high <= hole_low) continue;
    char* high = range.high;
    range.high = range.low < hole_low ? const_cast<char*>(hole_low) : range.low;
    if (high > hole_high) add(const_cast<char*>(hole_high), high);
  }
}

} // namespace

std::size_t take_snapshot(const char* stack_pointer, std::size_t most) {
  g_range_count = 0;
  for_each_mapping(
      [](const MappedRange& range, void* argument) {
        const auto* live = static_cast<const char*>(argument); // of the main stack
        char* low = live >= range.low && live < range.high ? const_cast<char*>(live) : range.low;
        if (range.writable && !range.shared) add(low, range.high);
      },
      const_cast<char*>(stack_pointer));
  g_heap = heap_extent();
  cut(g_heap.base, g_heap.base + k_heap_space);
  add(g_heap.base, g_heap.base + g_heap.used);
  for (unsigned i = 0; i < donor_count(); ++i) cut(donor(i).guard, donor(i).end);
  unsigned own = 0;
  const Segment* data = runtime_data(own);
  for (unsigned i = 0; i < own; ++i) cut(data[i].low, data[i].high);

  std::size_t total = 0;
  for (unsigned i = 0; i < g_range_count; ++i)
    total += static_cast<std::size_t>(g_ranges[i].high - g_ranges[i].low);
  if (total > most) return 0;
  const long memory = raw_syscall(SYS_mmap, 0, static_cast<long>(total), PROT_READ | PROT_WRITE,
                                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory < 0 && memory > -4096) return 0;
  char* image = reinterpret_cast<char*>(memory);
  for (unsigned i = 0; i < g_range_count; ++i) {
    Range& range = g_ranges[i];
    const auto size = static_cast<std::size_t>(range.high - range.low);
    range.image = image;
    memcpy(image, range.low, size);
    image += size;
  }
  return total;
}

void restore_snapshot() {
  const HeapExtent used = heap_extent();
  for (unsigned i = 0; i < g_range_count; ++i)
    memcpy(g_ranges[i].low, g_ranges[i].image, static_cast<std::size_t>(g_ranges[i].high - g_ranges[i].low));
  heap_trim(used, g_heap);
}

} // namespace reex
