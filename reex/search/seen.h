// What the search has come by, for its reduction: the steps that schedules take (a state, and the thread that
// goes on from it), and the states that executions have been in, each with the fewest preemptions. A schedule
// that takes a step which another one takes at no greater cost need not be executed, because whatever follows
// is explored from the other one (docs/semantics.md, "Reduction"; the happens-before caching of Musuvathi and
// Qadeer, "Partial-order reduction for context-bounded state exploration", 2007, by steps in place of states,
// so that what a switch costs is the same too).
//
// Both are known by a fingerprint of 128 bits (runtime/fingerprint.h). One open-addressing table in shared
// memory, freestanding; a worker may die at any moment: an entry counts from the moment its first word is
// written, and a larger table from the moment it is complete. Cost: about one cache miss.
#pragma once

#include <cstdint>

namespace reex {

struct StateKey {
  std::uint64_t a;
  std::uint64_t b;
};

struct SeenEntry {
  std::uint64_t a; // 0: free
  std::uint64_t b;
  std::uint32_t execution;   // that came by it first at so few preemptions
  std::uint32_t node;        // the schedule that takes it
  std::uint32_t preemptions; // with which; of a state: twice as many, and one more where leaving it costs one
  std::uint32_t level;       // of the search, at which that schedule is executed
};

// Who is to take a step.
struct Visitor {
  std::uint32_t execution; // under way
  std::uint32_t node;
  std::uint32_t preemptions; // the step's own with them
  std::uint32_t level;
};

inline constexpr unsigned k_least_seen_log = 14;
inline constexpr unsigned k_most_seen_log = 26;

struct SeenStore {
  SeenEntry table[2][std::uint32_t{1} << k_most_seen_log]; // in use by turns, as it grows
};

struct SeenState {
  std::uint32_t where = 0; // which table, and the logarithm of its size << 1; 0: none yet
  std::uint32_t count = 0;
};

// Null: nobody has.
SeenEntry* find_seen(const SeenState& state, SeenStore& store, StateKey key);
// The step's entry; new ones are made by the visitor. Null: the table is full.
SeenEntry* find_or_remember(SeenState& state, SeenStore& store, StateKey key, const Visitor& visitor);
// The step is the visitor's now.
void take_over(SeenEntry& entry, const Visitor& visitor);

enum class LookUp : std::uint8_t {
  first,  // or with fewer preemptions, or earlier in the order of the search: the visitor stands in the table
  later,  // with more, but earlier in the order: it does not
  before, // somebody takes the step, no later and at no greater cost
};

// An execution never meets itself, also when it is made once more because it was thrown away.
template <class IsEarlier>
LookUp look_up(SeenState& state, SeenStore& store, StateKey key, const Visitor& visitor,
               IsEarlier is_earlier) {
  SeenEntry* entry = find_or_remember(state, store, key, visitor);
  if (entry == nullptr) return LookUp::later;
  if (entry->execution != visitor.execution) {
    if (entry->preemptions <= visitor.preemptions && is_earlier(*entry)) return LookUp::before;
    if (entry->preemptions < visitor.preemptions) return LookUp::later;
  }
  take_over(*entry, visitor);
  return LookUp::first;
}

// Forgets all.
void forget_seen(SeenState& state, SeenStore& store);

} // namespace reex
