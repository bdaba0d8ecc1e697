// Cancellation of threads. A cancelled thread leaves at the next cancellation point it comes to, or is
// waiting at, as pthread_exit does: cleanup handlers and destructors run.
#pragma once

#include "reex/runtime/core/fiber.h"

namespace reex {

// Whether the fiber is to go on from its pending operation because it was cancelled.
bool cancels_wait(const Fiber& fiber);

// The type that does not wait for a cancellation point: at every visible operation, before its effect.
void testcancel_at_once(const Fiber& self);

// Ends the calling thread: unwinds its stack, then runs what belongs to its end.
[[noreturn]] void leave_thread(void* result);

} // namespace reex
