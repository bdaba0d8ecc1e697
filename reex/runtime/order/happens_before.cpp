// All of these variables belong to one execution. A restore leaves them alone; begin_happens_before and
// order_created reset what the new execution uses, and an entry of g_published with another execution's
// number is free.
//
// Rows and columns are slots, and a slot is used again (core/fiber.h). Why no race is missed then, and none
// is false: let A be the last thread that had the slot s, and B the next one.
// 1. B gets the slot only if A's end happened before the creation of B (may_follow): the creator's entry for
// s
//    is A's last clock.
// 2. B's clock goes on where A's stopped. So each pair of slot and clock is an event of one thread only, and
//    g_tenures tells whose.
// 3. An entry for s that is lower than B's first clock speaks of A alone, as before.
// 4. An entry for s that is B's first clock or more was taken in from B, whose row says of A's events that
//    they happened before: all of them did, by 1. So whoever has the entry follows all of A's events.
// 5. Accesses of A and of B are never compared, as if they came from one thread. By 1 they cannot race.
// If no slot is left but some of which 1 does not hold, the execution goes on without the detector, and the
// report says so.
#include "reex/runtime/order/happens_before.h"

#include <cstring>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/objects.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/shared_ranges.h"
#include "reex/runtime/order/annotated.h"
#include "reex/runtime/order/doubtful.h"
#include "reex/runtime/order/race.h"
#include "reex/runtime/order/shadow_memory.h"

namespace reex {

bool g_ordering = false;
std::uint32_t g_clocks[k_max_threads][k_max_threads];

namespace {

// When a thread had its slot.
struct Tenure {
  std::uint32_t first_clock;
  std::uint16_t slot;
};
Tenure g_tenures[k_max_created]; // by number of the thread

} // namespace

namespace {

using Row = std::uint32_t[k_max_threads];

// The clock that threads have published at an object. Clocks are allocated from a pool, which each execution
// empties.
struct Published {
  const void* object;
  std::uint32_t execution; // if it is not g_execution, the entry is free
  std::uint32_t length;
  std::uint16_t capacity;
  std::uint16_t head; // the thread that published last by a store, or that published first
  std::uint32_t* clock;
};

// Only what is in use takes memory.
constexpr unsigned k_object_bits = 20;
constexpr unsigned k_objects = 1u << k_object_bits;
constexpr unsigned k_most_objects = k_objects / 4 * 3;
constexpr unsigned k_pool = 1u << 26;
constexpr std::uint32_t k_least_capacity = 4;

Published g_published[k_objects];
bool g_alone = false; // only the running thread is left, and it knows what all others did
unsigned g_published_count = 0;
std::uint32_t g_pool[k_pool];
unsigned g_pool_used = 0;
Row g_at_release_fence[k_max_threads]; // published by later relaxed stores
Row g_by_relaxed_loads[k_max_threads]; // taken in by a later acquire fence
bool g_has_release_fence[k_max_threads];
bool g_has_relaxed_loads[k_max_threads];

bool acquires(int order) { return order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE; }
bool releases(int order) {
  return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

bool synchronizes() { return g_ordering && !synchronization_is_ignored(); }

Row& row() { return g_clocks[g.current->slot]; }

// Raises each clock to the other one, if that is later. The compiler makes a few vector instructions of a
// part.
void raise(std::uint32_t* __restrict into, const std::uint32_t* __restrict other, std::uint32_t length) {
  constexpr std::uint32_t k_part = 8;
  std::uint32_t from = 0;
  for (; from + k_part <= length; from += k_part)
    for (std::uint32_t i = 0; i < k_part; ++i)
      into[from + i] = other[from + i] > into[from + i] ? other[from + i] : into[from + i];
  for (; from < length; ++from)
    if (other[from] > into[from]) into[from] = other[from];
}

// The space is used up. Without clocks everything would look like a race.
Published* give_up() {
  stop_looking_for_races();
  return nullptr;
}

unsigned place_of(const void* object) {
  return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(object) * 0x9e3779b97f4a7c15 >>
                               (64 - k_object_bits));
}

Published* find(const void* address) {
  const void* const object = told_place_of(address);
  for (unsigned i = place_of(object);; ++i) {
    Published& entry = g_published[i % k_objects];
    if (entry.execution != g_execution) return nullptr;
    if (entry.object == object) return &entry;
  }
}

bool make_room(Published& entry) {
  if (entry.capacity >= g.fibers) return true;
  const std::uint32_t capacity = (g.fibers + k_least_capacity - 1) / k_least_capacity * k_least_capacity;
  if (g_pool_used + capacity > k_pool) return false;
  std::uint32_t* clock = g_pool + g_pool_used;
  g_pool_used += capacity;
  for (std::uint32_t i = 0; i < capacity; ++i) clock[i] = i < entry.length ? entry.clock[i] : 0;
  entry.clock = clock;
  entry.capacity = static_cast<std::uint16_t>(capacity);
  return true;
}

Published* find_or_make(const void* address) {
  const void* const object = told_place_of(address);
  for (unsigned i = place_of(object);; ++i) {
    Published& entry = g_published[i % k_objects];
    if (entry.execution != g_execution) {
      if (++g_published_count > k_most_objects) return give_up();
      entry = {object, g_execution, 0, 0, g.current->id, nullptr};
    } else if (entry.object != object) {
      continue;
    }
    return make_room(entry) ? &entry : give_up();
  }
}

void publish(const void* object, const Row& from, bool keep) {
  Published* entry = find_or_make(object);
  if (entry == nullptr) return;
  if (!keep) {
    memset(entry->clock, 0, entry->length * sizeof(std::uint32_t));
    entry->head = g.current->id;
  }
  if (entry->length < g.fibers) entry->length = g.fibers;
  raise(entry->clock, from, g.fibers);
}

void tick() {
  if (++row()[g.current->slot] > k_max_clock) stop_looking_for_races();
  stamp_records();
}

void next_clock() {
  note_release(row()[g.current->slot]);
  tick();
}

bool knows_all(const Row& known) {
  for (unsigned i = 0; i < g.fibers; ++i)
    if (known[i] < g_clocks[i][i]) return false;
  return true;
}

void publish_own(const void* object, bool keep) {
  publish(object, row(), keep);
  next_clock();
}

void collect_relaxed(const Published& entry) {
  const unsigned id = g.current->slot;
  Row& loads = g_by_relaxed_loads[id];
  if (!g_has_relaxed_loads[id]) memset(loads, 0, g.fibers * sizeof loads[0]);
  g_has_relaxed_loads[id] = true;
  raise(loads, entry.clock, entry.length);
}

} // namespace

void begin_happens_before(bool wanted) {
  g_ordering = wanted;
  g_alone = false;
  begin_doubts();
  if (!wanted) return;
  g_published_count = 0;
  g_pool_used = 0;
  g_clocks[0][0] = 1;
  g_tenures[0] = {0, 0};
  g_has_release_fence[0] = g_has_relaxed_loads[0] = false;
}

void end_happens_before() { g_ordering = g_alone = false; }

void order_created(const Fiber& child, bool is_reused) {
  if (g_alone) g_ordering = true;
  g_alone = false;
  const unsigned slot = child.slot;
  const std::uint32_t first = is_reused ? g_clocks[slot][slot] + 1 : 1;
  g_tenures[child.id] = {first, child.slot};
  if (g_ordering) {
    for (unsigned i = 0; !is_reused && i < slot; ++i)
      g_clocks[i][slot] = g_at_release_fence[i][slot] = g_by_relaxed_loads[i][slot] = 0;
    memcpy(g_clocks[slot], row(), g.fibers * sizeof(std::uint32_t));
    g_has_release_fence[slot] = g_has_relaxed_loads[slot] = false;
  }
  g_clocks[slot][slot] = first;
  if (g_ordering) next_clock();
}

bool may_follow(unsigned slot) { return (!g_ordering && !g_alone) || row()[slot] >= g_clocks[slot][slot]; }

unsigned thread_at(unsigned slot, std::uint32_t clock) {
  unsigned id = g.created;
  while (--id != 0 && (g_tenures[id].slot != slot || g_tenures[id].first_clock > clock)) {
  }
  return id;
}

void order_joined(const Fiber& finished) {
  if (!g_ordering) return;
  raise(row(), g_clocks[finished.slot], g.fibers);
  end_doubts(finished.slot, g_clocks[finished.slot][finished.slot]);
  if (g.live > 1 || !knows_all(row())) return;
  g_ordering = false;
  g_alone = true;
}

std::uint32_t leave_clock() {
  if (!g_ordering) return 0;
  const std::uint32_t clock = row()[g.current->slot];
  tick(); // nothing is released
  return clock;
}

void order_after_thread_of(const void* argument) {
  if (!synchronizes()) return;
  for (unsigned slot = 1; slot < g.fibers; ++slot)
    if (slot != g.current->slot && g_fibers[slot].argument == argument)
      raise(row(), g_clocks[slot], g.fibers);
}

void acquire_from(const void* object) {
  if (!synchronizes()) return;
  if (const Published* entry = find(object); entry != nullptr) raise(row(), entry->clock, entry->length);
}

// The operations that always synchronize. A primitive that may fail calls acquire_from or release_to itself
// when it succeeds.
void order_operation(Operation operation, void* object) {
  if (!synchronizes()) return;
  switch (operation) {
  case Operation::cond_reacquire:
  case Operation::rwlock_read:
  case Operation::semaphore_wait:
  case Operation::barrier_leave:
  case Operation::once:
  case Operation::spin_lock:
  case Operation::futex_sleep:
    return acquire_from(object);
  case Operation::mutex_unlock:
  case Operation::semaphore_post:
  case Operation::barrier_arrive:
  case Operation::once_done:
  case Operation::spin_unlock:
  case Operation::futex_wake:
    return release_to(object);
  case Operation::rwlock_write: // it follows readers too
    acquire_from(object);
    return acquire_from(readers_of(object));
  case Operation::rwlock_unlock:
    return release_to(object_at<ReadWriteLock>(object).writer != 0 ? object : readers_of(object));
  default:
    return;
  }
}

void release_to(const void* object) {
  if (synchronizes()) publish_own(object, true);
}

void order_abandoning() { release_to(&g_tenures[g.current->id]); }
void order_after_end(unsigned thread) { acquire_from(&g_tenures[thread]); }

void acquire_at_load(const void* object, int order) {
  if (!synchronizes()) return;
  const Published* entry = find(object);
  if (entry == nullptr) return;
  if (acquires(order))
    raise(row(), entry->clock, entry->length);
  else
    collect_relaxed(*entry);
}

// A store replaces what was published before. A read-modify-write adds to it, and so does a store of the
// thread that published it: a release sequence as in C17 and C++17. C++20 has dropped the second rule, but no
// machine and no compiler has.
void release_at_store(const void* object, int order) {
  if (!synchronizes()) return;
  const unsigned id = g.current->slot;
  Published* const before = find(object);
  const bool goes_on = before != nullptr && before->head == g.current->id;
  if (releases(order))
    publish_own(object, goes_on);
  else if (g_has_release_fence[id])
    publish(object, g_at_release_fence[id], goes_on);
  else if (before != nullptr && !goes_on)
    memset(before->clock, 0, before->length * sizeof(std::uint32_t));
}

void release_at_exchange(const void* object, int order) {
  if (!synchronizes()) return;
  const unsigned id = g.current->slot;
  if (releases(order))
    publish_own(object, true);
  else if (g_has_release_fence[id])
    publish(object, g_at_release_fence[id], true);
}

void order_fence(int order) {
  if (!synchronizes()) return;
  const unsigned id = g.current->slot;
  if (acquires(order) && g_has_relaxed_loads[id]) raise(row(), g_by_relaxed_loads[id], g.fibers);
  if (releases(order)) {
    memcpy(g_at_release_fence[id], row(), g.fibers * sizeof(std::uint32_t));
    g_has_release_fence[id] = true;
    next_clock();
  }
}

} // namespace reex
