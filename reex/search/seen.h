// The table of seen steps, for the reduction (docs/semantics.md, "Reduction"). It has two kinds of entries:
// the steps that schedules take (a state, and the thread that continues from it), and the states that
// executions have been in. Each entry stores the fewest preemptions so far. A schedule need not be executed
// if another schedule takes the same step at no greater cost, because whatever follows is explored from
// there.
//
// Under CAPP, a schedule also has an iteration in which it is executed. It need not be executed only if the
// other one comes no later in that respect, too. Two schedules may each be better in one of the two; then the
// one that comes second gets an entry of its own, for its iteration alone.
//
// Thread safety: the functions change shared memory and take no lock. Search calls them under its seen_lock.
// Freestanding.
//
// Invariants: steps and states are identified by a fingerprint of 128 bits (fingerprint.h). A worker may die
// at any moment: a new entry counts from the moment its first word is written, and a larger table from the
// moment it is complete.
//
// Cost: one table with open addressing, about one cache miss for each call.
//
// Source: happens-before caching, Musuvathi and Qadeer, "Partial-order reduction for context-bounded state
// exploration", 2007. Here the table has steps instead of states, so that the cost of a switch is the same
// too.
#pragma once

#include <cstddef>
#include <cstdint>

#include "reex/search/table_memory.h"

namespace reex {

struct StateKey {
  std::uint64_t a;
  std::uint64_t b;
};

struct SeenEntry {
  std::uint64_t a; // 0: free
  std::uint64_t b;
  std::uint32_t execution;   // the execution that first found it with so few preemptions
  std::uint32_t node;        // the schedule that takes the step
  std::uint32_t preemptions; // of that schedule; for a state: twice as many, plus one if leaving it costs one
  std::uint16_t level;       // preemption level of the search at which that schedule is executed
  std::uint16_t iteration;   // CAPP iteration at which it is executed, as Visitor has it
};

// The schedule that is about to take a step.
struct Visitor {
  std::uint32_t execution; // the execution under way
  std::uint32_t node;
  std::uint32_t preemptions; // up to the step, with the step's own
  std::uint32_t level;
  std::uint32_t iteration; // below k_most_iterations; ascends as the search goes on
  std::uint32_t now;       // the iteration that is explored now: this one, or one before
};

inline constexpr std::uint32_t k_most_iterations = 1u << 16;

inline constexpr unsigned k_least_seen_log = 14;
inline constexpr unsigned k_most_seen_log = 26;

struct alignas(k_large_page) SeenStore {
  SeenEntry table[2][std::uint32_t{1} << k_most_seen_log]; // used in turn, as the table grows
};

struct SeenState {
  std::uint32_t where = 0; // log2 of the size << 1 | which table; 0: no table yet
  std::uint32_t count = 0;
  bool full = false;   // it cannot grow any more
  bool stored = false; // the file of a run that has ended has the table (control_memory.h)
};

// Of the table in use. `where` is not 0.
inline std::size_t size_of_table(const SeenState& state) { return sizeof(SeenEntry) << (state.where >> 1); }

// Where in the table the step of the thread with this number belongs (`StateKey::b`). The steps from a state
// lie beside its place, so what is fetched ahead for one is there for the other. Those of more threads than
// fit there lie elsewhere: in the same places, each would be looked for behind all others.
inline std::uint64_t place_beside(std::uint64_t place, std::uint64_t thread) {
  constexpr std::uint64_t k_neighbours = 64;
  const std::uint64_t block = (thread - 1) / (k_neighbours - 1);
  const std::uint64_t elsewhere = (block * 0x9e3779b97f4a7c15 & 0xffffffff) / k_neighbours * k_neighbours;
  return place ^ elsewhere ^ (1 + (thread - 1) % (k_neighbours - 1));
}

// The key will be looked up soon.
inline void fetch_ahead(const SeenState& state, const SeenStore& store, StateKey key) {
  if (state.where == 0) return;
  const std::uint64_t mask = (std::uint64_t{1} << (state.where >> 1)) - 1;
  __builtin_prefetch(&store.table[state.where & 1][key.b & mask]);
}

// The entry; null: there is none.
SeenEntry* find_seen(const SeenState& state, SeenStore& store, StateKey key);
// The entry of the step; a new one belongs to the visitor. Null: the table is full.
SeenEntry* find_or_remember(SeenState& state, SeenStore& store, StateKey key, const Visitor& visitor);
// From now on the entry belongs to the visitor.
void take_over(SeenEntry& entry, const Visitor& visitor);

enum class LookUp : std::uint8_t {
  first,    // the entry is the visitor's now: it was new, or the visitor is cheaper, or as cheap and earlier
  separate, // the same, of the entry for the visitor's iteration alone
  later,    // the entry's schedule has fewer preemptions but comes later, or the table is full
  before,   // the entry's schedule comes earlier and has no more preemptions
};

// The key of the entry for one iteration alone.
inline StateKey separate(StateKey key, std::uint32_t iteration) {
  return {key.a, key.b + (iteration + 1) * 0x9e3779b97f4a7c15};
}

// Of a schedule that is executed in the same iteration. An execution is never compared with itself, even when
// it is made again because it was thrown away.
template <class IsEarlier>
LookUp compare(SeenEntry& entry, const Visitor& visitor, IsEarlier is_earlier) {
  if (entry.execution != visitor.execution) {
    if (entry.preemptions <= visitor.preemptions && is_earlier(entry)) return LookUp::before;
    if (entry.preemptions < visitor.preemptions) return LookUp::later;
  }
  take_over(entry, visitor);
  return LookUp::first;
}

template <class IsEarlier>
LookUp look_up(SeenState& state, SeenStore& store, StateKey key, const Visitor& visitor,
               IsEarlier is_earlier) {
  SeenEntry* entry = find_or_remember(state, store, key, visitor);
  if (entry == nullptr) return LookUp::later;
  if (entry->iteration == visitor.iteration || entry->execution == visitor.execution)
    return compare(*entry, visitor, is_earlier);
  const bool is_later = entry->iteration < visitor.iteration;
  if (is_later && entry->preemptions <= visitor.preemptions) return LookUp::before;
  if (!is_later && visitor.preemptions <= entry->preemptions) {
    take_over(*entry, visitor);
    return LookUp::first;
  }
  // Each is better in one. An entry of an iteration that is over gives way to a cheaper one all the same: who
  // comes from now on comes no earlier than this visitor.
  const bool replaces = is_later && visitor.iteration == visitor.now;
  const StateKey own = separate(key, visitor.iteration);
  SeenEntry* alone = replaces ? find_seen(state, store, own) : find_or_remember(state, store, own, visitor);
  if (alone == nullptr && !replaces) return LookUp::later;
  if (alone != nullptr)
    if (const LookUp found = compare(*alone, visitor, is_earlier); found != LookUp::first) return found;
  if (!replaces) return LookUp::separate;
  take_over(*entry, visitor);
  return LookUp::first;
}

// Removes all entries.
void forget_seen(SeenState& state, SeenStore& store);

} // namespace reex
