// The trace of a detailed execution, and walks of stacks.
//
// Callers: the fiber whose step or stack is recorded; begin_trace, the controller.
//
// Invariants: the trace lies in the control block. Only a detailed worker writes it; it makes one execution,
// and begin_trace resets all variables before it.
//
// Cost: walk_stack takes about 1 us for each frame.
#pragma once

#include <cstdint>
#include <unwind.h>

#include "reex/runtime/core/fiber.h"

namespace reex {

void begin_trace();
void record_switch(const Fiber& from, Leave reason, unsigned enabled);
void record_enabled(unsigned enabled);
void record_step(const Fiber& fiber);
// The running thread's last step, a notification, wakes so many threads.
void record_woken(unsigned count);
// The running thread's last step, a compare-exchange, was only a look.
void record_failed_exchange();
void record_position(const Fiber& fiber);

// Writes the calling fiber's stack into the trace. Returns the number of frames; `first_pc` is the place of
// the first one.
unsigned record_stack(std::uint32_t& first_pc);

// The return addresses of the calling fiber, innermost first, without the frames of the runtime.
unsigned walk_stack(std::uint64_t* pcs, unsigned most);
// Calls `visit` for each frame of the calling fiber, innermost first, those of the runtime as well.
void walk_frames(_Unwind_Trace_Fn visit, void* argument);
// Called at a fault. If a walk has made it, the walk ends with what it has, and this does not return.
void end_walk_at_fault();

} // namespace reex
