// One execution inside a worker: what is recorded of it, and how it begins and ends. Called on fibers, and by
// the controller between executions.
#pragma once

#include "reex/runtime/core/runtime.h"
#include "reex/search/search.h"

namespace reex {

// The search over the frontier in the shared memory.
Search& search();

// A choice of the search, logged if asked for; ends the execution if the schedule does not fit.
unsigned choose(const Candidates& candidates);
// Which waiter a notification wakes, or whether a weak operation fails: an index below `count`, the first
// outside a worker.
unsigned choose_among(ChoiceKind kind, const std::uint16_t* ids, unsigned count);
void log_choice(const Candidates& candidates, unsigned rank);
void log_end();

// Where it failed, by addresses: tells failures of one run apart. 0 for an ending that is no failure.
std::uint64_t failure_key(const Ending& ending);

// The trace of a detailed execution (runtime/trace.cpp).
void record_switch(const Fiber& from, Leave reason, unsigned enabled);
void record_enabled(unsigned enabled);
void record_step(const Fiber& fiber);
void record_position(const Fiber& fiber);
void begin_trace();

// Writes the calling fiber's stack into the trace; returns the number of frames and where they start.
unsigned record_stack(std::uint32_t& first_pc);

// Return addresses of the calling fiber, innermost first, without the runtime's own frames. About 1 us a
// frame.
unsigned walk_stack(std::uint64_t* pcs, unsigned most);

} // namespace reex
