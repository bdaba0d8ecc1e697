#include "reex/runtime/race.h"

#include <sys/mman.h>

#include "reex/runtime/execution.h"
#include "reex/runtime/finding.h"
#include "reex/runtime/happens_before.h"
#include "reex/runtime/memory_error.h"
#include "reex/runtime/modules.h"

namespace reex {

bool g_instrumented = false;
bool g_watching = false;
std::uint32_t g_execution = 0;

namespace {

constexpr unsigned k_granule = 8;
constexpr unsigned k_slots = 4;
constexpr std::uintptr_t k_lowest_address = 0x10000;
// Cells lie at the address modulo 1 TiB. Programs, libraries, stacks and the heap's arena differ there.
constexpr std::uint64_t k_address_mask = (std::uint64_t{1} << 40) - 1;
constexpr std::size_t k_cells_size = (k_address_mask + 1) / k_granule * 64;
constexpr std::size_t k_marked = std::size_t{64} << 10; // bytes of a block that are marked cell by cell
constexpr unsigned k_large_freed = 256;
constexpr unsigned k_overflow_cells = 1u << 16;

enum : std::uint64_t { k_write = 1, k_atomic = 2, k_freed = 4, k_link = 8, k_flags = 0xff };

struct Slot {
  std::uint64_t where; // pc << 16 | thread << 8 | bytes of the granule; of a link: number of the next cell
  std::uint64_t when;  // execution << 32 | clock << 8 | flags

  bool is_current() const { return when >> 32 == g_execution; }
  std::uint32_t clock() const { return static_cast<std::uint32_t>(when) >> 8; }
  unsigned thread() const { return static_cast<unsigned>(where >> 8) & 0xff; }
  unsigned bytes() const { return static_cast<unsigned>(where) & 0xff; }
  std::uint64_t pc() const { return where >> 16; }
};

struct alignas(64) Cell {
  Slot slot[k_slots];
};
static_assert(sizeof(Cell) == 64);

Cell* g_cells = nullptr;
Cell g_overflow[k_overflow_cells];
unsigned g_overflow_used = 0;
bool g_races = false;

// What lies beyond k_marked of freed blocks.
struct FreedRange {
  std::uintptr_t low;
  std::uintptr_t high;
  unsigned freed_by;
};
FreedRange g_large[k_large_freed];
unsigned g_large_count = 0;

Cell& cell_of(std::uintptr_t address) { return g_cells[(address & k_address_mask) / k_granule]; }

std::uint64_t flags_of(FindingAct act) {
  switch (act) {
  case FindingAct::write:
    return k_write;
  case FindingAct::atomic_read:
    return k_atomic;
  case FindingAct::atomic_write:
    return k_atomic | k_write;
  default:
    return 0;
  }
}

FindingAct act_of(std::uint64_t flags) {
  if ((flags & k_freed) != 0) return FindingAct::freed;
  if ((flags & k_atomic) != 0)
    return (flags & k_write) != 0 ? FindingAct::atomic_write : FindingAct::atomic_read;
  return (flags & k_write) != 0 ? FindingAct::write : FindingAct::read;
}

bool conflict(std::uint64_t a, std::uint64_t b) {
  return ((a | b) & k_write) != 0 && (a & b & k_atomic) == 0;
}

// Rule 1, for an ordered pair: whatever races with `old` races with `now`.
bool covers(const Slot& now, const Slot& old) {
  if ((old.bytes() & ~now.bytes()) != 0) return false;
  const bool write = (now.when & k_write) != 0;
  const bool atomic = (now.when & k_atomic) != 0;
  if (write && !atomic) return true;
  if ((old.when & k_write) != 0 && !write) return false;
  return atomic == ((old.when & k_atomic) != 0);
}

// Of a call of free: the innermost frame outside the libraries of the system, which holds the `delete`.
std::uint64_t caller_of_free() {
  constexpr unsigned k_frames = 32;
  std::uint64_t pcs[k_frames];
  const unsigned count = walk_stack(pcs, k_frames);
  for (unsigned i = 0; i < count; ++i)
    if (!in_system_library(pcs[i])) return pcs[i];
  return count == 0 ? 0 : pcs[0];
}

void found(const Slot& earlier, const Slot& later, std::uintptr_t granule) {
  const auto side = [](const Slot& slot) {
    return FindingSide{.pc = slot.pc(),
                       .thread = static_cast<std::uint16_t>(slot.thread()),
                       .act = act_of(slot.when & k_flags),
                       .size = static_cast<std::uint8_t>(__builtin_popcount(slot.bytes())),
                       .depth = 0,
                       .stack = {}};
  };
  FindingSide last = side(later);
  if (last.act == FindingAct::freed) last.pc = caller_of_free(); // only ever the later one: see rule 3
  const unsigned common = earlier.bytes() & later.bytes();
  report_finding(FindingKind::data_race, granule + static_cast<unsigned>(__builtin_ctz(common)),
                 side(earlier), last);
}

[[noreturn]] void end_at_freed(std::uintptr_t granule, const Slot& freed, const Slot& now) {
  use_after_free({.address = granule + static_cast<unsigned>(__builtin_ctz(now.bytes())),
                  .size = static_cast<unsigned>(__builtin_popcount(now.bytes())),
                  .act = act_of(now.when & k_flags),
                  .freed_by = freed.thread()});
}

// A full cell: its last record moves to a new one, and a link takes its place.
Slot* extend(Slot& last) {
  if (g_overflow_used == k_overflow_cells) {
    stop_looking_for_races();
    return nullptr;
  }
  const unsigned number = g_overflow_used++;
  Cell& more = g_overflow[number];
  more = {};
  more.slot[0] = last;
  last = {number, static_cast<std::uint64_t>(g_execution) << 32 | k_link};
  return &more.slot[1];
}

// Compares the access with the granule's records, and puts it among them.
void meet(std::uintptr_t granule, const Slot& now) {
  const std::uint32_t* known = g_clocks[now.thread()];
  Slot* place = nullptr;
  Slot* last = nullptr;
  for (Slot* slot = cell_of(granule).slot;;) {
    if (!slot->is_current()) {
      if (place == nullptr) place = slot;
      break;
    }
    if ((slot->when & k_link) != 0) {
      slot = g_overflow[slot->where].slot;
      continue;
    }
    if ((slot->bytes() & now.bytes()) != 0) {
      if ((slot->when & k_freed) != 0) end_at_freed(granule, *slot, now);
      const bool mine = slot->thread() == now.thread();
      if (!mine && slot->clock() > known[slot->thread()]) {
        if (g_races && conflict(slot->when, now.when)) found(*slot, now, granule);
      } else if (place == nullptr && covers(now, *slot)) {
        if (slot->when == now.when && slot->where == now.where) return;
        place = slot;
      }
    }
    last = slot++;
    if (reinterpret_cast<std::uintptr_t>(slot) % sizeof(Cell) == 0) {
      if (place == nullptr) place = extend(*last);
      break;
    }
  }
  if (place != nullptr) *place = now;
}

template <typename Function>
void each_granule(const void* address, std::size_t size, Function function) {
  auto at = reinterpret_cast<std::uintptr_t>(address);
  const std::uintptr_t end = at + size;
  while (at < end) {
    const std::uintptr_t granule = at & ~std::uintptr_t{k_granule - 1};
    const auto from = static_cast<unsigned>(at - granule);
    const auto to = static_cast<unsigned>(end - granule < k_granule ? end - granule : k_granule);
    function(granule, ((1u << to) - 1) & ~((1u << from) - 1));
    at = granule + k_granule;
  }
}

// Forgets the records of a large range, at the cost of those that there are.
void forget(std::uintptr_t low, std::uintptr_t high) {
  constexpr std::uintptr_t k_page_mask = 4095;
  Cell* const first = &cell_of(low);
  Cell* const end = &cell_of(high) + 1;
  const auto from = (reinterpret_cast<std::uintptr_t>(first) + k_page_mask) & ~k_page_mask;
  const auto to = reinterpret_cast<std::uintptr_t>(end) & ~k_page_mask;
  if (from < to) raw_syscall(SYS_madvise, static_cast<long>(from), static_cast<long>(to - from), MADV_REMOVE);
  for (Cell* cell = first; cell < end; ++cell) {
    if (const auto at = reinterpret_cast<std::uintptr_t>(cell); at >= from && at < to)
      cell = reinterpret_cast<Cell*>(to);
    if (cell < end) cell->slot[0] = {};
  }
}

const FreedRange* find_large(std::uintptr_t address) {
  for (unsigned i = 0; i < g_large_count; ++i)
    if (address >= g_large[i].low && address < g_large[i].high) return &g_large[i];
  return nullptr;
}

Slot record_of(void* pc, unsigned bytes, std::uint64_t flags) {
  const std::uint64_t thread = g.current->id;
  return {reinterpret_cast<std::uint64_t>(pc) << 16 | thread << 8 | bytes,
          static_cast<std::uint64_t>(g_execution) << 32 |
              static_cast<std::uint64_t>(g_clocks[thread][thread]) << 8 | flags};
}

} // namespace

void prepare_cells() {
  const long address = raw_syscall(SYS_mmap, 0, static_cast<long>(k_cells_size), PROT_READ | PROT_WRITE,
                                   MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  g_cells = address < 0 && address > -4096 ? nullptr : reinterpret_cast<Cell*>(address);
}

void begin_watching() {
  ++g_execution;
  g_watching = false;
  g_overflow_used = 0;
  g_large_count = 0;
  g_ordering = g_races = g_cells != nullptr && g_instrumented && g.control->config.races;
  if (g_ordering) begin_happens_before();
}

void start_watching() { g_watching = g_cells != nullptr && g_instrumented; }

void stop_looking_for_races() {
  if (g_races) g.control->findings.unchecked.fetch_add(1);
  g_races = g_ordering = false;
}

void watch_access(const void* address, std::size_t size, FindingAct act, void* pc) {
  if (g.detail) witness(address, size, pc);
  if (g_large_count != 0) {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    if (const FreedRange* range = find_large(at); range != nullptr)
      use_after_free(
          {.address = at, .size = static_cast<unsigned>(size), .act = act, .freed_by = range->freed_by});
  }
  const std::uint64_t flags = flags_of(act);
  each_granule(address, size, [pc, flags](std::uintptr_t granule, unsigned bytes) {
    const Slot now = record_of(pc, bytes, flags);
    const Slot& first = cell_of(granule).slot[0];
    if (first.when == now.when && first.where == now.where) return; // the same once more
    if (g_races)
      meet(granule, now);
    else if (first.is_current() && (first.when & k_freed) != 0)
      end_at_freed(granule, first, now);
  });
}

void watch_object(const void* object) {
  const auto address = reinterpret_cast<std::uintptr_t>(object);
  if (address < k_lowest_address) return; // a number: of a descriptor, a thread
  const Slot& first = cell_of(address).slot[0];
  if (first.is_current() && (first.when & k_freed) != 0)
    use_after_free({.address = address, .size = 0, .act = FindingAct::write, .freed_by = first.thread()});
}

void watch_free(const void* block, std::size_t size) {
  if (size > k_marked) {
    const auto low = reinterpret_cast<std::uintptr_t>(block) + k_marked;
    const std::uintptr_t high = reinterpret_cast<std::uintptr_t>(block) + size;
    forget(low, high);
    if (g_large_count < k_large_freed) g_large[g_large_count++] = {low, high, g.current->id};
    size = k_marked;
  }
  each_granule(block, size, [](std::uintptr_t granule, unsigned bytes) {
    if (g_races) meet(granule, record_of(nullptr, bytes, k_write | k_freed));
    Cell& cell = cell_of(granule);
    cell.slot[0] = record_of(nullptr, 0xff, k_write | k_freed);
    cell.slot[1] = {};
  });
}

int freed_by(const void* block) {
  if (!g_watching) return -1;
  const Slot& first = cell_of(reinterpret_cast<std::uintptr_t>(block)).slot[0];
  return first.is_current() && (first.when & k_freed) != 0 ? static_cast<int>(first.thread()) : -1;
}

void watch_reuse(const void* block, std::size_t size) {
  if (size > k_marked) {
    const auto low = reinterpret_cast<std::uintptr_t>(block) + k_marked;
    forget(low, reinterpret_cast<std::uintptr_t>(block) + size);
    for (unsigned i = 0; i < g_large_count; ++i)
      if (g_large[i].low == low) g_large[i] = g_large[--g_large_count];
    size = k_marked;
  }
  each_granule(block, size, [](std::uintptr_t granule, unsigned) { cell_of(granule).slot[0] = {}; });
}

void watch_renewed(const void* memory, std::size_t size) {
  if (!g_watching || size == 0) return;
  constexpr std::uintptr_t k_space = k_address_mask + 1;
  const auto low = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t last = low + (size < k_space ? size : k_space) - 1;
  if ((low & ~k_address_mask) == (last & ~k_address_mask)) return forget(low, last);
  forget(low, low | k_address_mask); // the cells go round
  forget(last & ~k_address_mask, last);
}

} // namespace reex
