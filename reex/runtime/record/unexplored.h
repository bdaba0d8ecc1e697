// Tells the parent what this execution shows of behaviours that the search does not try.
//
// Callers: the running fiber. Cost: a look-up in a table.
#pragma once

#include <cstdint>

namespace reex {

// The running fiber has written what a suspected spin reads at `pc`: it sees it now, and not in a later turn.
void note_loop_met(const void* pc);
// Other threads ran while the caller slept.
void note_ordering_sleep(const void* pc);
// Others have ended the timed wait at `pc`, or gone on while it lasted: it could have ended by its time
// before.
void note_timed_wait(const void* pc);
// Others have ended the wait at `pc`, which is a guard (schedule/passing.h).
void note_guard(const void* pc);
// A guard at `pc` is to end by its time, and without that nothing would go on: all others wait without a
// limit, or are guards, too.
void note_stuck_guard(const void* pc);
// The wait for a condition at `pc` has ended by a notification, and could have ended without one.
void note_wake(const void* pc);
// The clock is read at `pc`, while others may run, or a timer is set that will tell the test the time.
void note_clock_reading(const void* pc);
// The test asks at `pc` on which processor the thread is, while others may run.
void note_processor(const void* pc);
// The test draws random numbers at `pc`.
void note_random_numbers(const void* pc);
// The access at `pc`, of an exempted function, is one of too many for threads to be switched there.
void note_exempted(const void* pc);
// The load at `pc` could have returned an older value of `object`.
void note_stale_load(const void* pc, const void* object);
// The compare-exchange at `pc` fails because the heap has given no freed address again.
void note_address_kept(const void* pc, bool by_another);
// A thread waits for another process. While it is the only thread, this leaves nothing unexplored.
void note_outside();
// It happened, in this execution or an earlier one: the same choices may lead to another execution.
bool waited_outside();
// The test makes a process, and has made one in this execution: that one may print, too, and nobody controls
// it.
void note_process();
bool made_process();
// The test forks a process, which shares memory with it.
void note_shared_memory();
// A process that the test forked creates a thread.
void note_child_threads();
// The test has opened a file for reading, of which it could read this (a hash of it).
void note_file(const char* name, std::uint64_t content);

} // namespace reex
