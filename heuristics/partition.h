// partitionPrioritized and matchICPs of the CAPP algorithm, over transitions whose match bits are known.
//
// Callers: any; freestanding. The search calls it inside the test, at every choice of a thread.
//
// Cost: one test of a mask for each transition.
//
// Source: dissertation, section 4.2.2, Figure 4.2, lines 32-56.
#pragma once

#include <cstdint>

#include "heuristics/match_bits.h"

namespace reex {

// Decides which transitions stay in this CAPP iteration (toExplore). The others go to the next one
// (nextToExplore).
// - bits: the match bits of the `count` enabled transitions in default order: the current thread first if it
//   is enabled, then ascending thread ids. The caller has removed the transitions beyond the bound (line 23).
// - current: whether the first transition is the current thread's.
// - keep: the result. keep[i] says that transition i is prioritized; at least one is.
inline void partition_prioritized(PrioritizationMode mode, std::uint8_t mask, const std::uint8_t* bits,
                                  unsigned count, bool current, bool* keep) {
  for (unsigned i = 0; i < count; ++i) keep[i] = true;
  if (mode == PrioritizationMode::basic) return; // line 33
  if (!current) return;                          // line 34: no preemption possible

  unsigned impacted = 0; // line 35
  for (unsigned i = 0; i < count; ++i) impacted += (bits[i] & mask) != 0;

  if (mode == PrioritizationMode::all) { // lines 36-37
    if (impacted == count) return;
    unsigned picked =
        0; // pickOne(trans - impacted): the current thread if it is one of them, else the lowest id
    while ((bits[picked] & mask) != 0) ++picked;
    for (unsigned i = 0; i < count; ++i) keep[i] = i == picked;
  } else if (impacted == 0) { // lines 38-39
    for (unsigned i = 0; i < count; ++i) keep[i] = i == 0;
  }
}

} // namespace reex
