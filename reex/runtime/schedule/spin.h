// The part of the detection of spins that only the scheduler calls (semantics: "Spins"). core/visible.h has
// the rest.
#pragma once

#include "reex/runtime/core/fiber.h"

namespace reex {

// A spinning fiber has stopped before its next operation. If this operation does not belong to the spin, the
// spin ends.
void note_next_operation(Fiber& fiber);

// Whether the spinning fiber has proved that it will read the same for ever if only spinning threads run. In
// each turn of its loop, at least k_calm_turns in a row, its registers and stack were the same, each read saw
// the same value, and it wrote nothing beyond its stack and read no clock. All these turns were executed
// while only spinning threads ran. If this is true of all threads that can run, memory has not changed while
// each of them made a full turn. So no interleaving of further turns changes anything.
bool waits_for_ever(const Fiber& fiber);

} // namespace reex
