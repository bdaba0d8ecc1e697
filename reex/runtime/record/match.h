// The CAPP match bits of a transition (heuristics/match_bits.h), from the program counter and the call stack
// of a fiber's pending operation.
//
// Callers: match_bits, the scheduler on the running fiber, for any fiber; find_outer_frames, only the fiber
// itself.
//
// Invariants: the parent knows what an address means. A worker asks it once for each address; the answer
// stays in a table of the control block, over restores and deaths.
//
// Cost: one look-up for each frame of the stack, once for each pending operation.
#pragma once

#include <cstdint>

namespace reex {

struct Fiber;

std::uint8_t match_bits(Fiber& fiber);

// Which places of events the running fiber's pending operation is in, and called from; see PcBits. The first
// `places` are asked for. find_outer_frames must have been called.
struct PlaceBits {
  std::uint16_t in = 0;
  std::uint16_t from = 0;
};
PlaceBits place_bits(const Fiber& self, std::uint8_t places);

// To be called when the fiber reaches an operation. Finds the frames that match_bits needs and that are not
// on the shadow stack.
void find_outer_frames(Fiber& self);

} // namespace reex
