// The part of the detection of spins that only the scheduler calls (semantics: "Spins"). core/visible.h has
// the rest.
#pragma once

#include "reex/runtime/core/fiber.h"

namespace reex {

// A spinning fiber has stopped before its next operation. If this operation does not belong to the spin, the
// spin ends.
void note_next_operation(Fiber& fiber);

} // namespace reex
