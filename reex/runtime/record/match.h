// The CAPP match bits of a transition (heuristics/match_bits.h), from the program counter and the call stack
// of a fiber's pending operation. The parent knows what an address means; each is asked for once and kept in
// the shared table.
#pragma once

#include <cstdint>

namespace reex {

struct Fiber;

// Cost: a table look-up per frame of the stack, once per pending operation.
std::uint8_t match_bits(Fiber& fiber);

// On the fiber itself, when it reaches an operation: finds the frames that match_bits needs and the shadow
// stack lacks.
void find_outer_frames(Fiber& self);

} // namespace reex
