// Threads that wait with a time limit, again and again, for what never comes (semantics: "Waits in vain").
//
// Such a loop reads the clock, so what one turn does says nothing of the next. At the step limit, the
// execution goes on a little: whenever no thread can run, time jumps by half a year. If after each of some
// such jumps everything is as it was before it, except that times are later by the jump, the loops wait for
// ever: no limit that the test may have is longer than that. What else happens beyond the limit is not known
// to be possible natively. Then the execution ends as it would have at the limit.
//
// Or one thread alone goes on, and the others wait without a time limit, for each other or for this one: a
// thread that polls, and in each turn sets a mark and takes it back. If it comes back to a state in which it
// has been, it does so for ever.
//
// Callers: the scheduler and the functions that end an execution.
//
// Invariants: no choice is made beyond the limit, so schedules end before it.
#pragma once

#include <cstdint>

#include "reex/runtime/core/fiber.h"
#include "reex/shared/operation.h"

namespace reex {

// An execution begins.
void begin_limit();
// No thread can run before the limit, and time jumps.
void note_rest();
// At the step limit, where only spinning threads are left or not: whether the execution goes on.
bool goes_beyond_limit(bool only_spins);
// Beyond the limit, `operation` is about to be executed. Does not return if it may change what is not
// compared.
void look_beyond_limit(Operation operation);
// Beyond the limit: the only thread that can run; null: several can. Does not return if it comes back again
// and again, and no other could ever run in between.
void note_alone(const Fiber* only);
// No thread can run: the time to which it jumps. Does not return if it is known whether the threads wait in
// vain.
std::uint64_t jump_beyond_limit();

} // namespace reex
