// Waiting in a process with one thread: before the test creates its first thread, and in a process that the
// test forked. Called on that thread.
#pragma once

#include "reex/runtime/core/fiber.h"

namespace reex {

// Returns when the pending operation is enabled. Only time and signals can make it so; if neither can, the
// process ends.
void wait_alone(Fiber& self);

} // namespace reex
