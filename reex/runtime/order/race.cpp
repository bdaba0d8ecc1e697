#include "reex/runtime/order/race.h"

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/machine/modules.h"
#include "reex/runtime/order/finding.h"
#include "reex/runtime/order/happens_before.h"
#include "reex/runtime/order/shadow_memory.h"
#include "reex/runtime/record/trace.h"

namespace reex {

bool g_instrumented = false;
bool g_watching = false;

namespace {

constexpr std::uintptr_t k_lowest_address = 0x10000;
constexpr unsigned k_overflow_cells = 1u << 16;

Cell g_overflow[k_overflow_cells];
unsigned g_overflow_used = 0;

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

[[noreturn]] void end_at_freed(std::uintptr_t granule, unsigned freed_by, const Slot& now) {
  use_after_free({.address = granule + static_cast<unsigned>(__builtin_ctz(now.bytes())),
                  .size = static_cast<unsigned>(__builtin_popcount(now.bytes())),
                  .act = act_of(now.when & k_flags),
                  .freed_by = freed_by});
}

// The first record of a word is about to be made.
void touch_page(std::uintptr_t granule, const Slot& now) {
  PageMark& page = mark_of(granule);
  if (!page.is_current()) page = {g_execution, 0, false};
  if (page.freed) end_at_freed(granule, page.thread, now);
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
  Slot* slot = cell_of(granule).slot;
  if (!slot->is_current()) {
    touch_page(granule, now);
    *slot = now;
    return;
  }
  Slot* place = nullptr;
  Slot* last = nullptr;
  for (;;) {
    if (!slot->is_current()) {
      if (place == nullptr) place = slot;
      break;
    }
    if ((slot->when & k_link) != 0) {
      slot = g_overflow[slot->where].slot;
      continue;
    }
    if ((slot->bytes() & now.bytes()) != 0) {
      if ((slot->when & k_freed) != 0) end_at_freed(granule, slot->thread(), now);
      const bool mine = slot->thread() == now.thread();
      if (!mine && slot->clock() > known[slot->thread()]) {
        if (g_ordering && conflict(slot->when, now.when)) found(*slot, now, granule);
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

} // namespace

void begin_watching() {
  ++g_execution;
  g_watching = false;
  g_overflow_used = 0;
  begin_happens_before(g_cells != nullptr && g_instrumented && g.control->config.races);
  stamp_records();
}

void start_watching() { g_watching = g_cells != nullptr && g_instrumented; }

void stop_looking_for_races() {
  if (g_ordering) g.control->findings.unchecked.fetch_add(1);
  end_happens_before();
}

void watch_access(const void* address, std::size_t size, FindingAct act, void* pc) {
  if (g.detail) witness(address, size, pc);
  const std::uint64_t flags = flags_of(act);
  each_granule(address, size, [pc, flags](std::uintptr_t granule, unsigned bytes) {
    const Slot now = record_of(pc, bytes, flags);
    if (g_ordering)
      meet(granule, now);
    else if (const int thread = freeing_thread(granule); thread >= 0)
      end_at_freed(granule, static_cast<unsigned>(thread), now);
  });
}

void watch_object(const void* object) {
  const auto address = reinterpret_cast<std::uintptr_t>(object);
  if (address < k_lowest_address) return; // a number: of a descriptor, a thread
  if (const int thread = freeing_thread(address); thread >= 0)
    use_after_free(
        {.address = address, .size = 0, .act = FindingAct::write, .freed_by = static_cast<unsigned>(thread)});
}

void watch_free(const void* block, std::size_t size) {
  const auto low = reinterpret_cast<std::uintptr_t>(block);
  each_page(low, low + size, [](PageMark& page, std::uintptr_t from, std::uintptr_t to) {
    if (!page.is_current() && to - from == k_marked_page) {
      page = {g_execution, g.current->id, true};
      return;
    }
    each_granule(reinterpret_cast<void*>(from), to - from, [](std::uintptr_t granule, unsigned bytes) {
      if (g_ordering) meet(granule, record_of(nullptr, bytes, k_write | k_freed));
      Cell& cell = cell_of(granule);
      cell.clear();
      cell.slot[0] = record_of(nullptr, 0xff, k_write | k_freed);
    });
    page = {g_execution, 0, false};
  });
}

int freed_by(const void* block) {
  return g_watching ? freeing_thread(reinterpret_cast<std::uintptr_t>(block)) : -1;
}

void watch_reuse(const void* block, std::size_t size) {
  const auto low = reinterpret_cast<std::uintptr_t>(block);
  forget_records(low, low + size);
}

void watch_renewed(const void* memory, std::size_t size) {
  if (!g_watching) return;
  const auto low = reinterpret_cast<std::uintptr_t>(memory);
  forget_records(low, low + size);
}

} // namespace reex
