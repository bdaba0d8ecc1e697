#include "reex/runtime/memory/shared_memory.h"

#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <sys/mman.h>
#include <sys/uio.h>

#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/shared_ranges.h"
#include "reex/runtime/machine/modules.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/memory/mapped_memory.h"
#include "reex/runtime/memory/memory_map.h"
#include "reex/runtime/order/race.h"

namespace reex {
namespace {

constexpr std::size_t k_page = 4096;
constexpr unsigned k_mappings = 256;

struct Mapping {
  char* low;
  char* high;
};

Mapping g_mappings[k_mappings]; // mapped MAP_SHARED by the test
unsigned g_mapping_count = 0;
Mapping g_kept[k_mappings]; // the parts of them that are writable at the first thread
unsigned g_kept_count = 0;
bool g_ever_mapped = false;
char* g_image = nullptr;
std::size_t g_size = 0;

std::size_t size_of(const Mapping& mapping) { return static_cast<std::size_t>(mapping.high - mapping.low); }

void add(char* low, std::size_t size) {
  if (g.controlled || g.forked_off || g_mapping_count == k_mappings) return;
  g_mappings[g_mapping_count++] = {low, low + (size + k_page - 1) / k_page * k_page};
}

// Removes a range that is unmapped, or mapped over, from the test's shared memory.
void cut(const char* low, std::size_t size) {
  if (g.controlled) return;
  const char* high = low + (size + k_page - 1) / k_page * k_page;
  for (unsigned i = g_mapping_count; i-- > 0;) {
    Mapping& mapping = g_mappings[i];
    if (low >= mapping.high || high <= mapping.low) continue;
    if (high < mapping.high) add(const_cast<char*>(high), static_cast<std::size_t>(mapping.high - high));
    if (low > mapping.low)
      mapping.high = const_cast<char*>(low);
    else
      mapping = g_mappings[--g_mapping_count];
  }
}

bool is_shared(const char* address) {
  for (unsigned i = 0; i < g_mapping_count; ++i)
    if (address >= g_mappings[i].low && address < g_mappings[i].high) return true;
  return false;
}

void keep(const MappedRange& range) {
  for (unsigned i = 0; i < g_mapping_count && g_kept_count < k_mappings; ++i) {
    const Mapping& made = g_mappings[i];
    char* low = made.low > range.low ? made.low : range.low;
    char* high = made.high < range.high ? made.high : range.high;
    if (low < high) g_kept[g_kept_count++] = {low, high};
  }
}

// Memory that was already mapped elsewhere when it was mapped here.
struct Again {
  char* low;
  char* high;
  std::ptrdiff_t first; // from here to where it was mapped first
};

Again g_again[k_mappings];

void drop_again(const char* low, std::size_t size) {
  for (unsigned i = g_mapped_again; i-- > 0;)
    if (low < g_again[i].high && low + size > g_again[i].low) g_again[i] = g_again[--g_mapped_again];
}

void note_again(char* low, std::size_t size) {
  struct Pair {
    const char* low;
    MappedRange made;
    MappedRange before;
  };
  Pair pair{low, {}, {}};
  for_each_mapping(
      [](const MappedRange& range, void* argument) {
        auto& the = *static_cast<Pair*>(argument);
        if (range.shared && the.low >= range.low && the.low < range.high) the.made = range;
      },
      &pair);
  if (pair.made.low == nullptr || pair.made.inode == 0) return;
  for_each_mapping(
      [](const MappedRange& range, void* argument) {
        auto& the = *static_cast<Pair*>(argument);
        if (range.shared && range.inode == the.made.inode && range.device == the.made.device &&
            range.low != the.made.low)
          the.before = range;
      },
      &pair);
  if (pair.before.low == nullptr || g_mapped_again == k_mappings) return;
  const auto* before = static_cast<const char*>(first_place_of(pair.before.low));
  const auto offset = static_cast<std::ptrdiff_t>(pair.made.offset - pair.before.offset);
  g_again[g_mapped_again++] = {low, low + size, before + offset - pair.made.low};
}

// A mapping may be longer than its file; what lies beyond cannot be accessed.
std::size_t readable(const Mapping& mapping, char* into) {
  const iovec from{mapping.low, size_of(mapping)};
  const iovec to{into, size_of(mapping)};
  const long got =
      raw_syscall(SYS_process_vm_readv, raw_syscall(SYS_getpid), as_long(&to), 1, as_long(&from), 1);
  if (got >= 0) return static_cast<std::size_t>(got);
  if (got == -EFAULT) return 0;
  memcpy(into, mapping.low, size_of(mapping)); // the system does not allow the call
  return size_of(mapping);
}

// Of threads that have come to an object there. Whoever asks what they wait for must not look at what is
// gone.
void note_waiting(const void* memory, std::size_t size, bool is_unmapped) {
  if (!g.controlled) return;
  const auto* low = static_cast<const char*>(memory);
  for (Fiber* fiber : alive()) {
    const auto* object = static_cast<const char*>(fiber->pending.object);
    if (fiber != g.current && low <= object && object < low + size) fiber->pending.is_unmapped = is_unmapped;
  }
}

} // namespace

unsigned g_mapped_again = 0;

const void* first_place_of(const void* address) {
  const auto* place = static_cast<const char*>(address);
  for (unsigned i = 0; i < g_mapped_again; ++i)
    if (place >= g_again[i].low && place < g_again[i].high) return place + g_again[i].first;
  return place;
}

bool save_shared_memory() {
  g_kept_count = 0;
  if (g_mapping_count == 0) return true;
  for_each_mapping(
      [](const MappedRange& range, void*) {
        if (range.writable && range.shared) keep(range);
      },
      nullptr);
  std::size_t most = 0;
  for (unsigned i = 0; i < g_kept_count; ++i) most += size_of(g_kept[i]);
  if (most == 0) return true;
  if (most > k_most_shared) return false;
  const long memory = raw_syscall(SYS_mmap, 0, static_cast<long>(most), PROT_READ | PROT_WRITE,
                                  MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory < 0 && memory > -4096) return false;
  g_image = reinterpret_cast<char*>(memory);
  for (unsigned i = 0; i < g_kept_count; ++i) {
    Mapping& mapping = g_kept[i];
    mapping.high = mapping.low + readable(mapping, g_image + g_size);
    g_size += size_of(mapping);
  }
  return true;
}

void restore_shared_memory() {
  if (g_size == 0) return;
  const char* from = g_image;
  for (unsigned i = 0; i < g_kept_count; ++i) {
    memcpy(g_kept[i].low, from, size_of(g_kept[i]));
    from += size_of(g_kept[i]);
  }
}

void note_shared_mapping(char* low, std::size_t size) {
  watch_renewed(low, size);
  g_ever_mapped = true;
  add(low, size);
  note_again(low, size);
}

void forget_shared_mapping(const char* low) {
  drop_again(low, 1);
  for (unsigned i = 0; i < g_mapping_count && !g.controlled; ++i)
    if (g_mappings[i].low == low) return cut(low, size_of(g_mappings[i]));
}

std::size_t shared_memory_size() { return g_size; }

bool maps_shared_memory() { return g_ever_mapped; }

bool is_in_shared_memory(const void* address) {
  struct Wanted {
    const char* address;
    bool found;
  };
  Wanted wanted{static_cast<const char*>(address), false};
  if (!g_ever_mapped) return false;
  for_each_mapping(
      [](const MappedRange& range, void* argument) {
        auto& the = *static_cast<Wanted*>(argument);
        if (range.shared && the.address >= range.low && the.address < range.high) the.found = true;
      },
      &wanted);
  return wanted.found;
}

bool is_same_memory(const void* one, const void* other) {
  struct Place {
    const char* address;
    MappedRange range;
  };
  Place places[] = {{static_cast<const char*>(one), {}}, {static_cast<const char*>(other), {}}};
  const auto apart = static_cast<std::uintptr_t>(places[0].address - places[1].address);
  if (apart == 0 || !g_ever_mapped || apart % k_page != 0) return apart == 0;
  for_each_mapping(
      [](const MappedRange& range, void* argument) {
        for (auto *place = static_cast<Place*>(argument), *end = place + 2; place != end; ++place)
          if (range.shared && place->address >= range.low && place->address < range.high)
            place->range = range;
      },
      places);
  const auto offset = [](const Place& place) {
    return place.range.offset + static_cast<std::uint64_t>(place.address - place.range.low);
  };
  const MappedRange& first = places[0].range;
  const MappedRange& second = places[1].range;
  return first.low != nullptr && first.inode == second.inode && first.device == second.device &&
         offset(places[0]) == offset(places[1]);
}

} // namespace reex

using namespace reex;

REEX_EXPORT void* mmap(void* address, std::size_t size, int protection, int flags, int file,
                       off_t offset) noexcept {
  if (void* const own = map_under_control(address, size, protection, flags); own != nullptr) {
    watch_renewed(own, size);
    note_waiting(own, size, false);
    return own;
  }
  const long made =
      raw_syscall(SYS_mmap, as_long(address), static_cast<long>(size), protection, flags, file, offset);
  if (made < 0 && made > -4096) {
    errno = static_cast<int>(-made);
    return MAP_FAILED;
  }
  if ((flags & MAP_FIXED) != 0) cut(reinterpret_cast<char*>(made), size);
  drop_again(reinterpret_cast<char*>(made), size);
  watch_renewed(reinterpret_cast<void*>(made), size);
  note_waiting(reinterpret_cast<void*>(made), size, false);
  const int sharing = flags & MAP_TYPE;
  if (sharing == MAP_SHARED || sharing == MAP_SHARED_VALIDATE) {
    g_ever_mapped = true;
    add(reinterpret_cast<char*>(made), size);
    if ((flags & MAP_ANONYMOUS) == 0) note_again(reinterpret_cast<char*>(made), size);
  }
  return reinterpret_cast<void*>(made);
}

REEX_EXPORT void* mmap64(void* address, std::size_t size, int protection, int flags, int file,
                         off64_t offset) noexcept {
  return mmap(address, size, protection, flags, file, offset);
}

REEX_EXPORT int munmap(void* address, std::size_t size) noexcept {
  if (!unmap_under_control(address, size)) {
    const long result = raw_syscall(SYS_munmap, as_long(address), static_cast<long>(size));
    if (result != 0) {
      errno = static_cast<int>(-result);
      return -1;
    }
  }
  if (g.active && !is_opaque(reinterpret_cast<std::uint64_t>(REEX_CALLER))) watch_unmapped(address, size);
  note_waiting(address, size, true);
  watch_renewed(address, size);
  cut(static_cast<const char*>(address), size);
  drop_again(static_cast<const char*>(address), size);
  return 0;
}

REEX_EXPORT void* mremap(void* address, std::size_t size, std::size_t new_size, int flags, ...) noexcept {
  std::va_list arguments;
  va_start(arguments, flags);
  void* wanted = (flags & MREMAP_FIXED) != 0 ? va_arg(arguments, void*) : nullptr;
  va_end(arguments);
  const bool shared = is_shared(static_cast<const char*>(address));
  const long made = raw_syscall(SYS_mremap, as_long(address), static_cast<long>(size),
                                static_cast<long>(new_size), flags, as_long(wanted));
  if (made < 0 && made > -4096) {
    errno = static_cast<int>(-made);
    return MAP_FAILED;
  }
  if (as_long(address) != made)
    watch_renewed(reinterpret_cast<void*>(made), new_size);
  else if (new_size > size)
    watch_renewed(static_cast<char*>(address) + size, new_size - size);
  cut(static_cast<const char*>(address), size);
  cut(reinterpret_cast<char*>(made), new_size);
  drop_again(static_cast<const char*>(address), size);
  if (shared) add(reinterpret_cast<char*>(made), new_size);
  return reinterpret_cast<void*>(made);
}
