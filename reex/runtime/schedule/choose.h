// Choices of an execution: the search makes them, and they are logged.
//
// Callers: the fiber that has stopped before a choice point, or that leaves the processor. core/visible.h has
// choose_among.
#pragma once

#include "reex/runtime/core/runtime.h"
#include "reex/search/search.h"

namespace reex {

// Asks the search for the rank of the candidate that is chosen. Does not return if the schedule does not fit,
// or if it is cut short here: then the execution ends.
unsigned choose(const Candidates& candidates);
// The same for a choice that is no switch: no change matches it, and it costs no preemption, unless it is one
// that is_rare().
unsigned choose_freely(ChoiceKind kind, const std::uint16_t* ids, unsigned count, bool rare_is_free = false);

// One of the threads that may be chosen, or nobody (rank 0, null). No choice where there is none. To choose
// one costs a preemption, if it is not free.
template <typename MayBeChosen>
Fiber* choose_or_leave(ChoiceKind kind, MayBeChosen may_be_chosen, bool is_free = false) {
  static std::uint16_t ids[k_max_candidates]; // too large for the stack of a coroutine
  ids[0] = k_max_created;
  unsigned count = 1;
  for (const Fiber* fiber : alive())
    if (count < k_max_candidates && may_be_chosen(*fiber)) ids[count++] = fiber->id;
  const unsigned rank = count == 1 ? 0 : choose_freely(kind, ids, count, is_free);
  return rank == 0 ? nullptr : live_thread(ids[rank]);
}

} // namespace reex
