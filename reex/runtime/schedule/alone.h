// Waiting where there is one thread only: before the first thread is created, and in a process that the test
// forked.
#pragma once

#include "reex/runtime/core/fiber.h"

namespace reex {

// Returns when the pending operation is enabled: only time and signals can help it. Ends where nothing can.
void wait_alone(Fiber& self);

} // namespace reex
