// The scheduler's side of spins (semantics: "Spins"); what primitives call is in core/visible.h.
#pragma once

#include "reex/runtime/core/fiber.h"

namespace reex {

// A spinning fiber stands before its next operation: if that is none of its spin's, the spin is over.
void note_next_operation(Fiber& fiber);

} // namespace reex
