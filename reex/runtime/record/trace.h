// The trace of a detailed execution, and stacks. On the fiber whose step or stack it is; begin_trace on the
// controller's stack.
#pragma once

#include <cstdint>

#include "reex/runtime/core/fiber.h"

namespace reex {

void begin_trace();
void record_switch(const Fiber& from, Leave reason, unsigned enabled);
void record_enabled(unsigned enabled);
void record_step(const Fiber& fiber);
void record_position(const Fiber& fiber);

// Writes the calling fiber's stack into the trace; returns the number of frames and where they start.
unsigned record_stack(std::uint32_t& first_pc);

// Return addresses of the calling fiber, innermost first, without the runtime's own frames. About 1 us a
// frame.
unsigned walk_stack(std::uint64_t* pcs, unsigned most);

} // namespace reex
