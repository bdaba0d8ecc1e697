// Cancellation of threads (semantics: "Cancellation"). A cancelled thread ends at the next cancellation point
// that it reaches, or at the one where it waits. It ends as at pthread_exit: cleanup handlers and destructors
// run.
//
// Callers: the running fiber; cancels_wait, also the scheduler for any fiber. core/visible.h declares
// testcancel.
//
// Invariants: all state is in Fiber::own. restore_signals brings main's back, and a new fiber starts with its
// own.
#pragma once

#include "reex/runtime/core/fiber.h"

namespace reex {

// Whether the fiber shall continue from its pending operation because it was cancelled.
bool cancels_wait(const Fiber& fiber);

// For the asynchronous type, which does not wait for a cancellation point: called at every visible operation,
// before its effect.
void testcancel_at_once(const Fiber& self);

// Ends the calling thread: unwinds its stack, then runs the destructors of its end.
[[noreturn]] void leave_thread(void* result);

} // namespace reex
