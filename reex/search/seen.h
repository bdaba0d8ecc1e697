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
  std::uint32_t execution; // that reached it
  std::uint32_t preemptions;
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

// True: `execution` may be cut short. False: it is the first here, or has come with fewer preemptions, and is
// remembered. An execution never meets itself, also when it is made once more because it was thrown away. A
// full table remembers nothing new.
bool reached_before(SeenState& state, SeenStore& store, StateKey key, std::uint32_t execution,
                    std::uint32_t preemptions);

// Forgets all.
void forget_seen(SeenState& state, SeenStore& store);

} // namespace reex
