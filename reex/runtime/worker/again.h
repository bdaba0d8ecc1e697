// A new failure is executed once more, in detail and in a fresh process. What does not fail again is no
// failure: the test depends on something that reex does not control, or a restore is at fault.
//
// Callers: the zygote, between executions.
#pragma once

#include "reex/shared/ending.h"

namespace reex {

bool ends_alike(const Ending& first, const Ending& again);

// The reported failure did not fail again: it does not count as a failure. `told`: the parent is told so;
// this happens a few times for each failure. Otherwise the next execution that fails in this way is reported
// in any case.
void forget_failure(bool told);

// Two fresh processes did the same, and an execution after a restore did not: begins a new round of the
// search, in which all workers execute in fresh processes.
void explore_without_restores();
bool restores_are_at_fault();

} // namespace reex
