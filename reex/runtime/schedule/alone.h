// Waiting where nothing is explored: before the test creates its first thread, and in a process that the test
// forked. The threads of such a process take turns: one runs until it waits, yields, or has come to
// k_operations_in_turn operations. A call that would wait for a descriptor lets the others go on
// (descriptors/channels.cpp); any other call of the system that waits holds up all of them.
//
// Callers: the running fiber of such a process.
#pragma once

#include "reex/runtime/core/fiber.h"

namespace reex {

// Returns when the pending operation is enabled. Only time, signals and the other threads can make it so; if
// none of them can, the process ends.
void wait_alone(Fiber& self);
// The running fiber has finished: another one runs. If there is none, the process ends.
[[noreturn]] void leave_alone(Fiber& self);

} // namespace reex
