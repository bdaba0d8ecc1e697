// Tells a strategy that samples about the threads: their pending events, the executed events, and who created
// whom.
//
// Callers: the running fiber; prepare_events, the controller before each execution.
//
// Invariants: g_telling_events does not change in an execution; no restore touches it.
//
// Cost: that of match_bits if CAPP's match bits are in use; otherwise a few instructions.
#pragma once

#include "reex/runtime/core/fiber.h"
#include "reex/search/search.h"

namespace reex {

extern bool g_telling_events; // the execution's strategy wants events

void prepare_events();

// The pending event of the fiber.
Event event_of(Fiber& fiber);

// To be called only if g_telling_events.
void tell_executed(Fiber& self);
void tell_created(const Fiber& made);
void tell_spin(const Fiber& self);

} // namespace reex
