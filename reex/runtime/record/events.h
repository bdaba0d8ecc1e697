// What a strategy that samples is told of the threads: their pending events, those executed, and who created
// whom.
#pragma once

#include "reex/runtime/core/fiber.h"
#include "reex/search/search.h"

namespace reex {

extern bool g_telling_events; // the strategy asks for them

void prepare_events(); // in a worker

// Where CAPP's match bits are in use, the cost is that of match_bits; else a few instructions.
Event event_of(Fiber& fiber);

// Only where events are told.
void tell_executed(Fiber& self);
void tell_created(const Fiber& made);
void tell_spin(const Fiber& self);

} // namespace reex
