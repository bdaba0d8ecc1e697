// g_ranges, g_count, g_has_mapped, g_area_top and Place::mapped belong to one execution:
// drop_private_mappings sets them back. The places are kept on purpose: they belong to the worker.
#include "reex/runtime/memory/private_mappings.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/machine/kept_call.h"
#include "reex/runtime/machine/modules.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/memory/early_memory.h"
#include "reex/runtime/order/fingerprint.h"

namespace reex {
namespace {

constexpr std::uintptr_t k_page = 4096;

struct Range {
  std::uintptr_t low;
  std::uintptr_t high;
};
constexpr unsigned k_most_ranges = 512;
Range g_ranges[k_most_ranges];
unsigned g_count = 0;
bool g_has_mapped = false;

// Where a part of a file was mapped first.
struct Place {
  dev_t device;
  ino_t file;
  long size;
  long offset;
  long address; // 0: nowhere yet
  bool mapped;  // is there now

  bool is_of(const Place& other) const {
    return device == other.device && file == other.file && size == other.size && offset == other.offset;
  }
};
constexpr unsigned k_most_places = 512;
Place g_places[k_most_places];
unsigned g_place_count = 0;

// What is mapped elsewhere comes here, one behind the other: the addresses depend on nothing but the order of
// this execution's mappings. The kernel puts nothing here of its own accord, and the records of these
// addresses (shadow_memory.h) belong to no program, library, stack or heap.
constexpr long k_area = 0x608000000000;
constexpr std::size_t k_area_size = std::size_t{64} << 30;
std::size_t g_area_top = 0;

Range range_of(long address, long size) {
  const auto low = static_cast<std::uintptr_t>(address);
  return {low, (low + static_cast<std::uintptr_t>(size) + k_page - 1) & ~(k_page - 1)};
}

// Null: not all of it is in one of them.
Range* range_around(const Range& part) {
  for (unsigned i = 0; i < g_count; ++i)
    if (part.low >= g_ranges[i].low && part.high <= g_ranges[i].high && part.low < part.high)
      return &g_ranges[i];
  return nullptr;
}

bool overlaps_any(const Range& part) {
  return std::any_of(g_ranges, g_ranges + g_count,
                     [&](const Range& range) { return part.low < range.high && part.high > range.low; });
}

bool is_error(long answer) { return answer < 0 && answer > -4096; }

bool map_within(const long* a, long& answer) {
  if (range_around(range_of(a[0], a[1])) == nullptr) return false;
  answer = reex_kept_call(SYS_mmap, a[0], a[1], a[2], a[3], a[4], a[5]);
  return true;
}

// The place of the part of a file, if it is not mapped at the moment. Null: it is, or there is no
// room.
Place* place_of(const long* a) {
  struct stat status {};
  if ((a[3] & MAP_ANONYMOUS) != 0 || raw_syscall(SYS_fstat, a[4], as_long(&status)) != 0) return nullptr;
  const Place wanted{status.st_dev, status.st_ino, a[1], a[5], 0, false};
  Place* const end = g_places + g_place_count;
  Place* const place = std::find_if(g_places, end, [&](const Place& one) { return one.is_of(wanted); });
  if (place != end) return place->mapped ? nullptr : place;
  if (g_place_count == k_most_places) return nullptr;
  g_places[g_place_count++] = wanted;
  return place;
}

// Maps it at the next address of the area. False: there is no room.
bool map_in_area(const long* a, long& answer) {
  const std::size_t size = range_of(0, a[1]).high;
  if (size > k_area_size - g_area_top || (a[3] & MAP_32BIT) != 0) return false;
  answer = reex_kept_call(SYS_mmap, k_area + static_cast<long>(g_area_top), a[1], a[2],
                          a[3] | MAP_FIXED_NOREPLACE, a[4], a[5]);
  if (answer == -EEXIST) return false;
  if (!is_error(answer)) g_area_top += size;
  return true;
}

// Nobody can write to it, as to what libc maps to convert texts. What the test itself maps has other owners
// (shared_memory.cpp).
bool is_for_reading(const long* a, std::uintptr_t from) {
  return (a[3] & (MAP_TYPE | MAP_ANONYMOUS)) == MAP_SHARED && (a[2] & PROT_WRITE) == 0 && !in_runtime(from) &&
         (reex_kept_call(SYS_fcntl, a[4], F_GETFL) & O_ACCMODE) == O_RDONLY;
}

bool map_anew(const long* a, std::uintptr_t from, long& answer) {
  if ((a[3] & MAP_TYPE) != MAP_PRIVATE && !is_for_reading(a, from)) return false;
  if (g_count == k_most_ranges) return false;
  if (Place* const place = a[0] == 0 ? place_of(a) : nullptr; place != nullptr) {
    answer = reex_kept_call(SYS_mmap, place->address, a[1], a[2], a[3], a[4], a[5]);
    if (is_error(answer)) return true;
    place->address = answer;
    place->mapped = true;
  } else {
    if (a[0] != 0)
      answer = reex_kept_call(SYS_mmap, a[0], a[1], a[2], a[3], a[4], a[5]);
    else if (!map_in_area(a, answer))
      return false;
    if (is_error(answer)) return true;
    fingerprint_fence(); // the address depends on what was mapped before
  }
  g_ranges[g_count++] = range_of(answer, a[1]);
  g_has_mapped = true;
  return true;
}

bool unmap(const long* a, long& answer) {
  const Range part = range_of(a[0], a[1]);
  Range* const range = range_around(part);
  if (range == nullptr) return !overlaps_any(part) && make_early_memory_call(SYS_munmap, a, answer);
  if (g_count == k_most_ranges) return false;
  answer = reex_kept_call(SYS_munmap, a[0], a[1]);
  if (is_error(answer)) return true;
  for (Place& place : g_places) // the loader maps its cache for each library that it looks for
    if (place.mapped && place.address == a[0] && place.size == a[1]) place.mapped = false;
  const Range behind{part.high, range->high};
  range->high = part.low;
  if (range->low == range->high) *range = g_ranges[--g_count];
  if (behind.low < behind.high) g_ranges[g_count++] = behind;
  return true;
}

bool protect(const long* a, long& answer) {
  const Range part = range_of(a[0], a[1]);
  if (range_around(part) == nullptr)
    return !overlaps_any(part) && make_early_memory_call(SYS_mprotect, a, answer);
  answer = reex_kept_call(SYS_mprotect, a[0], a[1], a[2]);
  return true;
}

} // namespace

bool make_mapping_call(long number, const long* arguments, std::uintptr_t from, long& answer) {
  constexpr long k_fixed = MAP_FIXED | MAP_FIXED_NOREPLACE;
  switch (number) {
  case SYS_mmap:
    return (arguments[3] & k_fixed) != 0 ? map_within(arguments, answer) : map_anew(arguments, from, answer);
  case SYS_munmap:
    return unmap(arguments, answer);
  case SYS_mprotect:
    return protect(arguments, answer);
  default:
    return false;
  }
}

bool has_private_mappings() { return g_has_mapped; }

void drop_private_mappings() {
  for (; g_count > 0; --g_count) {
    const Range& range = g_ranges[g_count - 1];
    const auto size = static_cast<long>(range.high - range.low);
    if (reex_kept_call(SYS_munmap, static_cast<long>(range.low), size) != 0)
      internal_error("mapped memory cannot be dropped");
  }
  if (!g_has_mapped) return;
  g_has_mapped = false;
  g_area_top = 0;
  for (unsigned i = 0; i < g_place_count; ++i) g_places[i].mapped = false;
  forget_modules_that_came();
}

} // namespace reex
