// g_overflow belongs to one execution: begin_watching empties it. See race.h for the other variables.
#include "reex/runtime/order/race.h"

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/stacks.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/machine/modules.h"
#include "reex/runtime/order/annotated.h"
#include "reex/runtime/order/doubtful.h"
#include "reex/runtime/order/finding.h"
#include "reex/runtime/order/happens_before.h"
#include "reex/runtime/order/shadow_memory.h"
#include "reex/runtime/record/trace.h"
#include "reex/shared/descriptor_objects.h"

namespace reex {

bool g_instrumented = false;
bool g_watching = false;

namespace {

constexpr std::uintptr_t k_lowest_address = 0x10000;
constexpr unsigned k_overflow_cells = 1u << 20; // of 64 bytes; only those in use take memory

ShadowCell g_overflow[k_overflow_cells];
unsigned g_overflow_used = 0;

std::uint64_t flags_of(FindingAct act) {
  switch (act) {
  case FindingAct::write:
    return k_write;
  case FindingAct::atomic_read:
    return k_atomic;
  case FindingAct::atomic_write:
    return k_atomic | k_write;
  case FindingAct::used:
    return k_used;
  case FindingAct::initialized:
    return k_write | k_object;
  case FindingAct::destroyed:
    return k_write | k_object | k_destroys;
  default:
    return 0;
  }
}

FindingAct act_of(std::uint64_t flags) {
  if ((flags & k_left) == k_left) return FindingAct::left_frame;
  if ((flags & k_freed) != 0) return FindingAct::freed;
  if ((flags & k_object) != 0 && (flags & k_write) == 0) return FindingAct::used;
  if ((flags & k_object) != 0)
    return (flags & k_destroys) != 0 ? FindingAct::destroyed : FindingAct::initialized;
  if ((flags & k_atomic) != 0)
    return (flags & k_write) != 0 ? FindingAct::atomic_write : FindingAct::atomic_read;
  return (flags & k_write) != 0 ? FindingAct::write : FindingAct::read;
}

// Of the running thread's accesses.
std::uint64_t flag_of_ignored() { return accesses_are_ignored() ? k_ignored : 0; }

std::uint64_t flags_of_running(FindingAct act) {
  const std::uint64_t flags = flags_of(act);
  return flags | ((flags & k_object) != 0 && lives_are_ignored() ? k_ignored : flag_of_ignored());
}

bool conflict(std::uint64_t a, std::uint64_t b) {
  return ((a | b) & k_write) != 0 && (a & b & k_atomic) == 0;
}

// Rule 1: `old` happened before `now`, and every access that races with `old` on the bytes that they share
// races with `now`, and is reported with it if it is with `old`.
inline bool covers(const AccessRecord& now, const AccessRecord& old) {
  if ((now.when & ~old.when & k_ignored) != 0) return false;
  const bool write = (now.when & k_write) != 0;
  const bool atomic = (now.when & k_atomic) != 0;
  if (write && !atomic) return true;
  if ((old.when & k_write) != 0 && !write) return false;
  return atomic == ((old.when & k_atomic) != 0);
}

// The innermost frame outside the system's libraries: the one that holds the `delete`, or the next operation
// after the function that was left.
std::uint64_t caller_in_test() {
  constexpr unsigned k_frames = 32;
  std::uint64_t pcs[k_frames];
  const unsigned count = walk_stack(pcs, k_frames);
  for (unsigned i = 0; i < count; ++i)
    if (!in_system_library(pcs[i])) return pcs[i];
  return count == 0 ? 0 : pcs[0];
}

// A thread that polls what is no atomic object would never be woken by the write: the two are no operations
// on one object. With the next turn, it sees another value.
void wake_poller(unsigned thread) {
  for (Fiber* fiber : alive())
    if (fiber->id == thread && fiber->spinning) end_spin(*fiber);
}

// `by_handler`: what orders the two is that a signal handler has run when it did.
void found(const AccessRecord& earlier, const AccessRecord& later, std::uintptr_t granule, bool by_handler) {
  if (g.spinning != 0 && (later.when & k_write) != 0) wake_poller(earlier.thread());
  const auto side = [](const AccessRecord& record) {
    return FindingSide{.pc = record.pc(),
                       .thread = static_cast<std::uint16_t>(record.thread()),
                       .act = act_of(record.when & k_flags),
                       .size = static_cast<std::uint8_t>(record.size()),
                       .depth = 0,
                       .step = 0,
                       .stack = {}};
  };
  FindingSide first = side(earlier);
  FindingSide last = side(later);
  if (ends_memory(last.act)) last.pc = caller_in_test(); // the later side: rule 3
  for (FindingSide* each : {&first, &last})
    if (is_descriptor_object(granule) && each->act == FindingAct::destroyed) each->act = FindingAct::closed;
  const unsigned common = earlier.bytes() & later.bytes();
  const std::uintptr_t address = granule + static_cast<unsigned>(__builtin_ctz(common));
  const bool expected =
      by_handler || ((earlier.when | later.when) & k_ignored) != 0 || is_race_expected(address);
  report_finding(expected ? FindingKind::expected_race : FindingKind::data_race, address, first, last);
}

// The running fiber is in a signal handler, which may as well have come before this plain access of the
// fiber's own (rule 7).
inline bool is_interrupted(const AccessRecord& record) {
  const InterruptedWait* const wait = g.current->interrupted;
  return wait != nullptr && record.clock() >= wait->first_clock && record.clock() <= wait->last_clock &&
         (record.when & (k_atomic | k_object | k_freed)) == 0;
}

bool only_handler_orders(const AccessRecord& record, const std::uint32_t* known) {
  return (record.when & (k_atomic | k_object | k_freed)) == 0 &&
         is_doubtful(record.slot(), record.clock(), known[record.slot()]);
}

[[noreturn]] void end_at_freed(std::uintptr_t granule, unsigned freed_by, const AccessRecord& now) {
  use_after_free({.address = granule + static_cast<unsigned>(__builtin_ctz(now.bytes())),
                  .size = now.size(),
                  .act = act_of(now.when & k_flags),
                  .freed_by = freed_by});
}

// The granule gets its first record of this execution.
void touch_page(std::uintptr_t granule, const AccessRecord& now) {
  PageMark& page = page_mark_of(granule);
  if (!page.is_current()) page = {g_execution, 0, false, false};
  if (page.freed) end_at_freed(granule, page.thread, now);
}

// The cell is full: moves its last record to a new cell and puts a link in its place.
AccessRecord* extend(AccessRecord& last) {
  if (g_overflow_used == k_overflow_cells) {
    stop_looking_for_races();
    return nullptr;
  }
  const unsigned number = g_overflow_used++;
  ShadowCell& more = g_overflow[number];
  more = {};
  more.record[0] = last;
  last = {number, static_cast<std::uint64_t>(g_execution) << 34 | k_link};
  return &more.record[1];
}

// The place behind this one, through the links; null: the cell ends.
AccessRecord* next_place(AccessRecord* place) {
  ++place;
  if (reinterpret_cast<std::uintptr_t>(place) % sizeof(ShadowCell) == 0) return nullptr;
  return place->is_current() && (place->when & k_link) != 0 ? g_overflow[place->where].record : place;
}

// Stores the access in a granule that has records. `covered` is one that it covers; null: none. `end` is the
// first place that is not in use, `last` the last one that is, if there is no other in its cell.
void store(AccessRecord* first, AccessRecord* covered, AccessRecord* end, AccessRecord* last,
           const AccessRecord& now) {
  AccessRecord* empty = covered;
  if (now.may_have_parts())
    for (AccessRecord* at = first; at != nullptr && at->is_current(); at = next_place(at)) {
      if (at->is_like(now)) {
        at->where |= now.bytes();
        if (covered != nullptr) covered->where = 0;
        return;
      }
      if (at->bytes() == 0 && empty == nullptr) empty = at;
    }
  if (empty == nullptr) empty = end != nullptr ? end : extend(*last);
  if (empty != nullptr) *empty = now;
}

// Compares the access with the granule's records and stores it among them.
void compare(std::uintptr_t granule, const AccessRecord& now) {
  const std::uint32_t* known = g_clocks[now.slot()];
  AccessRecord* const first = shadow_of(granule).record;
  AccessRecord* record = first;
  if (!record->is_current()) {
    touch_page(granule, now);
    *record = now;
    return;
  }
  AccessRecord* covered = nullptr;
  AccessRecord* last = nullptr;
  AccessRecord* end = nullptr;
  for (;;) {
    if (!record->is_current()) {
      end = record;
      break;
    }
    if ((record->when & k_link) != 0) {
      record = g_overflow[record->where].record;
      continue;
    }
    if ((record->bytes() & now.bytes()) != 0) {
      if ((record->when & k_freed) != 0) end_at_freed(granule, record->thread(), now);
      const bool mine = record->slot() == now.slot();
      const bool interrupted = mine && is_interrupted(*record);
      if (interrupted && conflict(record->when, now.when)) found(*record, now, granule, true);
      if (!mine && record->clock() > known[record->slot()]) {
        if (g_ordering && conflict(record->when, now.when)) found(*record, now, granule, false);
      } else if (!mine && g_some_doubtful && only_handler_orders(*record, known) &&
                 conflict(record->when, now.when)) {
        found(*record, now, granule, true);
      } else if (covered == nullptr && !interrupted && covers(now, *record)) {
        if (record->contains(now)) return;
        if (now.has_bytes_of(*record))
          covered = record;
        else if (now.has_whole_parts_of(*record))
          record->where &= ~std::uint64_t{now.bytes()};
      }
    }
    last = record++;
    if (reinterpret_cast<std::uintptr_t>(record) % sizeof(ShadowCell) == 0) break;
  }
  if (covered != nullptr && covered->when == now.when)
    *covered = now; // another instruction at the same clock
  else
    store(first, covered, end, last, now);
}

void drop_followed(std::uintptr_t granule, const AccessRecord& now) {
  const std::uint32_t* known = g_clocks[now.slot()];
  const auto is_followed = [&](const AccessRecord& old) {
    return (old.when & k_atomic) != 0 && old.slot() != now.slot() && old.clock() <= known[old.slot()] &&
           now.has_bytes_of(old) && covers(now, old);
  };
  AccessRecord* kept = shadow_of(granule).record;
  for (AccessRecord* at = kept; at != nullptr && at->is_current(); at = next_place(at)) {
    if (is_followed(*at)) continue;
    if (kept != at) *kept = *at;
    kept = next_place(kept);
  }
  for (; kept != nullptr && kept->is_current(); kept = next_place(kept)) kept->when = 0;
}

// Visits the records of other threads' accesses with which a write of the running fiber would race now, in
// those granules of the range that have any.
template <typename Visit>
void each_unordered(std::uintptr_t low, std::uintptr_t high, Visit visit) {
  if (!g_ordering) return;
  const std::uint32_t* known = g_clocks[g.current->slot];
  each_page(low, high, [&](const PageMark& page, std::uintptr_t from, std::uintptr_t to) {
    if (!page.is_current()) return;
    for (std::uintptr_t granule = from & ~std::uintptr_t{k_granule - 1}; granule < to; granule += k_granule) {
      const AccessRecord* record = shadow_of(granule).record;
      while (record->is_current()) {
        if ((record->when & k_link) != 0) {
          record = g_overflow[record->where].record;
          continue;
        }
        if (record->bytes() != 0 && record->slot() != g.current->slot &&
            record->clock() > known[record->slot()])
          visit(*record, granule);
        ++record;
        if (reinterpret_cast<std::uintptr_t>(record) % sizeof(ShadowCell) == 0) break;
      }
    }
  });
}

// The usual case of a use of a synchronization object, in a few instructions: the running fiber has used it
// before, and no record that may conflict comes first. The former use is brought up to date (rule 1).
inline bool is_used_again(std::uintptr_t object, const void* pc) {
  constexpr std::uint64_t k_slot_and_bytes = 0x1ffff; // of `where`
  constexpr std::uint64_t k_clock = 0xffffff00;       // of `when`
  const AccessRecord now = record_of(pc, 1u << object % k_granule, k_used | size_bits(object, 1));
  AccessRecord* record = shadow_of(object).record;
  for (unsigned i = 0; i < k_records_per_cell; ++i, ++record) {
    if (((record->where ^ now.where) & k_slot_and_bytes) == 0 &&
        ((record->when ^ now.when) & ~k_clock) == 0) {
      *record = now;
      return true;
    }
    if (!record->is_current()) return false;
    if ((record->when & k_flags) == k_used) continue;
    if ((record->when & (k_freed | k_link)) != 0 ||
        record->clock() > g_clocks[g.current->slot][record->slot()])
      return false;
  }
  return false;
}

template <typename Function>
void each_granule(const void* address, std::size_t size, Function function) {
  auto at = reinterpret_cast<std::uintptr_t>(address);
  const std::uintptr_t end = at + size;
  while (at < end) {
    const std::uintptr_t granule = at & ~std::uintptr_t{k_granule - 1};
    const auto from = static_cast<unsigned>(at - granule);
    const auto to = static_cast<unsigned>(end - granule < k_granule ? end - granule : k_granule);
    function(granule, ((1u << to) - 1) & ~((1u << from) - 1), size_bits(from, to - from));
    at = granule + k_granule;
  }
}

} // namespace

void begin_watching() {
  ++g_execution;
  g_watching = false;
  g_overflow_used = 0;
  begin_annotated();
  begin_happens_before(g_shadow_cells != nullptr && g_instrumented && g.control->config.races);
  stamp_records();
}

void start_watching() { g_watching = g_shadow_cells != nullptr && g_instrumented; }

void stop_looking_for_races() {
  if (g_ordering) g.control->findings.unchecked.fetch_add(1);
  end_happens_before();
}

void leave_records_alone() {
  g_watching = false;
  end_happens_before();
}

void watch_access(const void* address, std::size_t size, FindingAct act, void* pc) {
  if (g.detail) witness(address, size, pc);
  if (may_be_other_stack(address)) watch_stack(address, size, act);
  const bool compares = g_ordering && !accesses_are_unseen();
  const auto low = reinterpret_cast<std::uintptr_t>(address);
  if (!compares && !may_be_freed(low, low + size)) return;
  const std::uint64_t flags = flags_of_running(act);
  each_granule(address, size,
               [pc, flags, compares](std::uintptr_t granule, unsigned bytes, std::uint64_t of_size) {
                 const AccessRecord now = record_of(pc, bytes, flags | of_size);
                 if (compares)
                   compare(granule, now);
                 else if (const int thread = freeing_thread(granule); thread >= 0)
                   end_at_freed(granule, static_cast<unsigned>(thread), now);
               });
}

void drop_followed(const void* address, std::size_t size, void* pc) {
  if (!g_ordering || accesses_are_unseen()) return;
  each_granule(address, size, [pc](std::uintptr_t granule, unsigned bytes, std::uint64_t) {
    drop_followed(granule, record_of(pc, bytes, flags_of(FindingAct::atomic_write) | flag_of_ignored()));
  });
}

bool watch_object(const void* object, Operation operation, void* pc) {
  const auto address = reinterpret_cast<std::uintptr_t>(object);
  if (address < k_lowest_address) return false; // a number that identifies a descriptor, a thread or a signal
  // After a wake through a futex, the waiter may return before the call is made (std::latch).
  if (may_be_other_stack(object) && operation != Operation::futex_wake)
    watch_stack(object, 0, FindingAct::write);
  const bool lives = has_life(operation);
  if (lives && g_ordering && !g.detail && is_used_again(address, pc)) return true;
  const int thread = freeing_thread(address);
  if (thread < 0) {
    if (lives && !is_opaque(reinterpret_cast<std::uint64_t>(pc)))
      watch_access(object, 1, FindingAct::used, pc);
    return false;
  }
  if (operation != Operation::futex_wake)
    use_after_free(
        {.address = address, .size = 0, .act = FindingAct::write, .freed_by = static_cast<unsigned>(thread)});
  report_woken(object, pc);
  return false;
}

void watch_free(const void* block, std::size_t size) {
  const auto low = reinterpret_cast<std::uintptr_t>(block);
  each_page(low, low + size, [](PageMark& page, std::uintptr_t from, std::uintptr_t to) {
    if (!page.is_current() && to - from == k_marked_page) {
      page = {g_execution, g.current->id, true, true};
      return;
    }
    each_granule(reinterpret_cast<void*>(from), to - from,
                 [](std::uintptr_t granule, unsigned bytes, std::uint64_t) {
                   if (g_ordering && !accesses_are_unseen())
                     compare(granule, record_of(nullptr, bytes, k_write | k_freed | flag_of_ignored()));
                   ShadowCell& cell = shadow_of(granule);
                   cell.clear();
                   cell.record[0] = record_of(nullptr, 0xff, k_write | k_freed);
                 });
    page = {g_execution, 0, false, true};
  });
}

bool is_racing_end(std::uintptr_t low, std::uintptr_t high) {
  bool found_any = false;
  each_unordered(low, high, [&](const AccessRecord&, std::uintptr_t) { found_any = true; });
  return found_any;
}

void watch_left(std::uintptr_t low, std::uintptr_t high) {
  each_unordered(low, high, [](const AccessRecord& record, std::uintptr_t granule) {
    found(record, record_of(nullptr, 0xff, k_write | k_left), granule, false);
  });
}

void watch_unmapped(const void* memory, std::size_t size) {
  constexpr std::size_t k_most = std::size_t{1} << 30; // a few milliseconds
  if (!g_watching || size > k_most || accesses_are_unseen()) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  each_unordered(begin, begin + size, [](const AccessRecord& record, std::uintptr_t granule) {
    found(record, record_of(nullptr, 0xff, k_write | k_freed | flag_of_ignored()), granule, false);
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
