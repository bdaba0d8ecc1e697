// The states that the search has come by, for its reduction: a schedule that reaches a state which another
// one has reached before with no more preemptions is cut short there, because whatever follows was explored
// from the other one, at no greater cost (docs/semantics.md, "Reduction"; the happens-before caching of
// Musuvathi and Qadeer, "Partial-order reduction for context-bounded state exploration", 2007, kept to
// states whose running thread is the same, so that what a switch costs is the same too).
//
// A state is known by a fingerprint of 128 bits (runtime/fingerprint.h). One open-addressing table in shared
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
  std::uint32_t execution; // that reached it first at so many preemptions
  std::uint32_t node;      // its place in the order of the search
  std::uint32_t preemptions;
  std::uint32_t era; // of the search
};

// The execution under way.
struct Visitor {
  std::uint32_t execution;
  std::uint32_t node;
  std::uint32_t preemptions;
  std::uint32_t era;
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

// The entry of the state; new ones are made by the visitor. Null: the table is full.
SeenEntry* find_or_remember(SeenState& state, SeenStore& store, StateKey key, const Visitor& visitor);

// True: the visitor may be cut short. False: it is the first here, or has come with fewer preemptions, or
// another one that comes later in the order of the search (`is_earlier` says no) was faster; it is
// remembered. An execution never meets itself, also when it is made once more because it was thrown away.
template <class IsEarlier>
bool reached_before(SeenState& state, SeenStore& store, StateKey key, const Visitor& visitor,
                    IsEarlier is_earlier) {
  SeenEntry* entry = find_or_remember(state, store, key, visitor);
  if (entry == nullptr || entry->execution == visitor.execution) return false;
  if (entry->preemptions <= visitor.preemptions && is_earlier(*entry)) return true;
  if (entry->preemptions < visitor.preemptions) return false;
  entry->execution = visitor.execution;
  entry->node = visitor.node;
  entry->preemptions = visitor.preemptions;
  entry->era = visitor.era;
  return false;
}

// Forgets all.
void forget_seen(SeenState& state, SeenStore& store);

} // namespace reex
