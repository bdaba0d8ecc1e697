// What becomes of threads that are put back because they spin (semantics: "Spins", "Verdicts").
//
// Callers: the scheduler, at a choice point.
#pragma once

#include "reex/runtime/core/fiber.h"

namespace reex {

// Whether the suspected loop of the running fiber goes on, without a choice. It stops where it would have to
// wait, and after k_loop_operations: then it is not known whether it ends.
bool goes_on(Fiber& fiber);

// Threads are put back because their loops are only suspected. The search chooses whether one of them goes
// on. Null: none does.
Fiber* choose_loop();

// Only spinning threads are left, and no time is left to pass: whether this is so for ever.
bool is_livelock();

} // namespace reex
