#include "reex/runtime/memory/snapshot.h"

#include <cstring>
#include <sys/mman.h>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/running.h"
#include "reex/runtime/machine/modules.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/memory/early_memory.h"
#include "reex/runtime/memory/heap.h"
#include "reex/runtime/memory/memory_map.h"
#include "reex/runtime/memory/restored_memory.h"
#include "reex/runtime/threads/donor.h"
#include "reex/search/table_memory.h"

namespace reex {

namespace {

struct Range {
  char* low;
  char* high;
};

// Copying more in each restore costs as much as a fork.
constexpr std::size_t k_most_copied = std::size_t{16} << 20;
constexpr std::size_t k_most_kept = std::size_t{1} << 30; // bytes of images

constexpr std::size_t k_most_summed = std::size_t{64} << 20;

constexpr unsigned k_ranges = 1024;
constexpr std::size_t k_heap_space = std::size_t{64} << 30;

Range g_ranges[k_ranges];
unsigned g_range_count = 0;
HeapExtent g_heap{};

void add(char* low, char* high) {
  if (low >= high) return;
  if (g_range_count == k_ranges) internal_error("too many memory mappings");
  g_ranges[g_range_count++] = {low, high};
}

// Removes [hole_low, hole_high) from all ranges.
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

std::size_t size_of(const Range& range) { return static_cast<std::size_t>(range.high - range.low); }

void collect(const char* stack_pointer) {
  g_range_count = 0;
  for_each_mapping(
      [](const MappedRange& range, void* argument) {
        const auto* live = static_cast<const char*>(argument); // of the main stack
        char* low = live >= range.low && live < range.high ? const_cast<char*>(live) : range.low;
        const Donor* of = donor_at(reinterpret_cast<std::uintptr_t>(low));
        const bool is_stack = of != nullptr && range.high <= of->end; // there may be many
        if (range.writable && !range.shared && !is_stack) add(low, range.high);
      },
      const_cast<char*>(stack_pointer));
  g_heap = heap_extent();
  cut(g_heap.base, g_heap.base + k_heap_space);
  add(g_heap.base, g_heap.base + g_heap.used);
  for_each_mapping( // guard pages of the test in blocks of the heap
      [](const MappedRange& range, void*) {
        if (!range.writable) cut(range.low, range.high);
      },
      nullptr);
  for (unsigned i = 0; i < donor_count(); ++i) cut(donor(i).guard, donor(i).end);
  unsigned own = 0;
  const Segment* data = runtime_data(own);
  for (unsigned i = 0; i < own; ++i) cut(data[i].low, data[i].high);
}

std::size_t most_kept() {
  const std::size_t quarter = available_memory() / 4;
  return quarter < k_most_kept ? quarter : k_most_kept;
}

struct Sum {
  HeapExtent heap;
  const char* low; // of the mapping whose words are added
  const char* high;
  std::uint64_t value;
};

void add_words(Sum& sum, const char* low, const char* high) {
  if (low < sum.low) low = sum.low;
  if (high > sum.high) high = sum.high;
  for (; low + 8 <= high; low += 8) {
    std::uint64_t word;
    memcpy(&word, low, sizeof word);
    sum.value = (sum.value ^ word) * 0x9e3779b97f4a7c15 + (sum.value >> 29);
  }
}

// What a mapping has of the ranges outside the heap, of the heap and of its regions.
void add_words(Sum& sum, const MappedRange& mapping) {
  sum.low = mapping.low;
  sum.high = mapping.high;
  const char* const heap_end = sum.heap.base + k_heap_space;
  for (unsigned i = 0; i < g_range_count; ++i) {
    const Range& range = g_ranges[i];
    const bool is_stack = g_main_stack_end > range.low && g_main_stack_end <= range.high;
    const bool is_heap = range.low >= sum.heap.base && range.low < heap_end;
    if (!is_stack && !is_heap) add_words(sum, range.low, range.high);
  }
  add_words(sum, sum.heap.base, sum.heap.base + sum.heap.used);
  for_each_region([](char* low, char* high, void* to) { add_words(*static_cast<Sum*>(to), low, high); },
                  &sum);
}

} // namespace

bool take_snapshot(const char* stack_pointer, std::size_t copied_besides) {
  collect(stack_pointer);
  std::size_t total = 0;
  for (unsigned i = 0; i < g_range_count; ++i) total += size_of(g_ranges[i]);
  const bool tracks = prepare_restored_memory();
  if ((!tracks && total + copied_besides > k_most_copied) || total > most_kept()) return false;
  const long memory = raw_syscall(SYS_mmap, 0, static_cast<long>(total), PROT_READ | PROT_WRITE,
                                  MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0); // all is written now
  if (memory < 0 && memory > -4096) return false;
  char* image = reinterpret_cast<char*>(memory);
  std::size_t copied = copied_besides;
  for (unsigned i = 0; i < g_range_count; ++i) {
    const Range& range = g_ranges[i];
    memcpy(image, range.low, size_of(range));
    // The live part of the main stack is copied as a whole: all of it is in use.
    copied += add_restored(range.low, range.high, image, range.low != stack_pointer);
    image += size_of(range);
  }
  return copied <= k_most_copied;
}

std::uint64_t memory_sum() {
  // Without a snapshot, the ranges are those at the first call.
  if (g_range_count == 0) collect(g_main_stack_end - 1);
  if (has_changed_early_memory()) { // no sum is that of another time
    static std::uint64_t sums = 0;
    return ++sums;
  }
  const HeapExtent heap = heap_extent();
  std::size_t total = heap.used;
  for (unsigned i = 0; i < g_range_count; ++i) total += size_of(g_ranges[i]);
  for_each_region([](char* low, char* high,
                     void* of) { *static_cast<std::size_t*>(of) += static_cast<std::size_t>(high - low); },
                  &total);
  if (total > k_most_summed) return 0;
  Sum sum{heap, nullptr, nullptr, 0};
  for_each_mapping(
      [](const MappedRange& mapping, void* to) {
        if (mapping.writable) add_words(*static_cast<Sum*>(to), mapping);
      },
      &sum);
  return sum.value;
}

void restore_snapshot() {
  const HeapExtent used = heap_extent();
  bring_back();
  heap_trim(used, g_heap);
}

} // namespace reex
