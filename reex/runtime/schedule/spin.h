// The part of the detection of spins that only the scheduler calls (semantics: "Spins"). core/visible.h has
// the rest.
#pragma once

#include "reex/runtime/core/fiber.h"

namespace reex {

// An execution begins.
void begin_spins();

// The fiber is about to execute its operation.
void note_begin(Fiber& self);

// The spinning fiber is in the middle of a turn whose changes it will take back: as long as it can run, it
// goes on to the end of the turn, and the others do not see these changes.
bool in_turn(const Fiber& fiber);

// The spinning fiber has changed something in this turn and not taken it back.
bool holds_more(const Fiber& fiber);

// A spinning fiber has stopped before its next operation. If this operation does not belong to the spin, the
// spin ends.
void note_next_operation(Fiber& fiber);

// Whether the spinning fiber has proved that it will read the same for ever if only spinning threads run. In
// each turn of its loop, at least k_calm_turns in a row, its registers and stack were the same, each read saw
// the same value, wrote nothing beyond its stack that it did not take back, and it read no clock. All these
// turns were executed while only spinning threads ran. If this is true of all threads that can run, memory
// has not changed while each of them made a full turn. So no interleaving of further turns changes anything,
// unless one thread sees in the middle of a turn of another what that turn takes back (is_seen_by).
bool waits_for_ever(const Fiber& fiber, std::uint32_t calm_turns);
bool is_seen_by(const Fiber& changer, const Fiber& other);

} // namespace reex
