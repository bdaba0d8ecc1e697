// Threads that wait for each other in a circle, by locks, joins and the like, while others go on: a thread
// that polls for what the circle was to do, say. They will wait for ever, whatever the others do. But the
// others may be about to end the process, and nobody would notice then. So the execution goes on for some
// thousand operations, and ends as a deadlock behind them.
//
// Callers: the running fiber; begin_circles, the controller. Cost: a walk along the circle for a thread that
// cannot go on.
#pragma once

#include "reex/runtime/core/fiber.h"

namespace reex {

void begin_circles(); // a new execution

// The running fiber has stated its pending operation.
void note_circle(const Fiber& self);

// At the limit of operations: ends the execution if the circle has lasted for so long. True: this was the
// limit of a circle that is there no more, and the execution goes on.
bool end_circle();

} // namespace reex
