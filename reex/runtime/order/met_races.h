// Races that no unseen order can undo (semantics: "Verdicts"). Where code of the test has no hooks, it may
// order threads in ways that reex does not see, so two accesses without an order that was seen may have one.
// But two threads that stand before conflicting accesses at the same time have none: either of them may come
// first. That is the definition of a data race by adjacent accesses; no clock is needed for it.
//
// A race is promoted when it is found, so its accesses become scheduling points, and the search meets them.
//
// Callers: the running fiber. Cost: a look at each thread's pending operation, for each visible access in a
// test with such code.
#pragma once

#include <cstddef>
#include <cstdint>

#include "reex/runtime/core/fiber.h"

namespace reex {

// The running fiber has stated an access as its pending operation.
void meet_accesses(const Fiber& self);

} // namespace reex
