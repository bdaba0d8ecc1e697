// Orders that only a signal handler has made. A handler that runs right before a visible operation may as
// well have come before the plain accesses since the operation before (race.h, rule 7). What it releases in
// its own operations then does not include them: whoever acquires that, and nothing later of the thread, may
// be before these accesses, too.
//
// Callers: the running fiber; begin_doubts, as an execution begins; is_doubtful, watch_access.
//
// Invariants: a doubt has the clocks of the accesses, and the first one that the thread has released outside
// of handlers since; 0: none yet. If there is no room, the two oldest of a slot become one.
//
// Cost: nothing as long as no handler releases.
#pragma once

#include <cstdint>

namespace reex {

extern bool g_some_doubtful; // in this execution

void begin_doubts();
// The running fiber has released what it knows at this clock of its own.
void note_release(std::uint32_t clock);
// The thread has ended, and others may know all of it.
void end_doubts(unsigned slot, std::uint32_t clock);
// Whether who knows the slot up to `known` may all the same be before the slot's access at `clock`.
bool is_doubtful(unsigned slot, std::uint32_t clock, std::uint32_t known);

} // namespace reex
