// Choices of an execution: the search makes them, and they are logged.
//
// Callers: the fiber that has stopped before a choice point, or that leaves the processor. core/visible.h has
// choose_among.
#pragma once

#include "reex/search/search.h"

namespace reex {

// Asks the search for the rank of the candidate that is chosen. Does not return if the schedule does not fit,
// or if it is cut short here: then the execution ends.
unsigned choose(const Candidates& candidates);

} // namespace reex
