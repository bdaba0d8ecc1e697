// Data races and accesses to freed memory, found in the executions that are explored anyway. Every eight
// bytes of the test's memory have a cell of access records: the last accesses of each kind that a later one
// could still race with. A new access is compared with them through the vector clocks of happens_before.h.
//
// After FastTrack (Flanagan and Freund, PLDI 2009: one epoch, a thread and its clock, stands for an access)
// with the bytes of a word told apart as ThreadSanitizer's shadow words do. Nothing is thrown away at random:
//   1. An access record is dropped only for a later access that happens after it and conflicts with all that
//      it conflicts with. Of one thread the newest instruction stays, so that promoting racing instructions
//      to visible operations reaches all of them.
//   2. A record races with the access at hand if they overlap, come from different threads, at least one
//      writes, not both are atomic, and the record's clock is beyond what the running thread knows of that
//      thread.
//   3. Freeing memory is a write, and leaves a mark that no access may meet: in each cell, or one for a page
//      that nobody has accessed.
//   4. Records carry the execution's number, so nothing is cleared between executions.
//   5. A thread that is alone and has taken in what all others did makes no records: no later access can race
//      with its own.
//
// The records themselves: cells.h. On the running fiber. About 3 ns for an access.
#pragma once

#include <cstddef>
#include <cstdint>

#include "reex/shared/control.h"

namespace reex {

extern bool g_instrumented; // some module calls the hooks
extern bool g_watching;     // accesses are looked at: an instrumented test runs more than one thread

// A new execution; the controller.
void begin_watching();
// A second thread exists.
void start_watching();
// The room for this execution's records ran out.
void stop_looking_for_races();

// Called from the hooks; `pc` is the return address into the code that accesses.
void watch_access(const void* address, std::size_t size, FindingAct act, void* pc);

// A synchronization object is used: it must not lie in freed memory.
void watch_object(const void* object);

// The block is freed: accesses to it are errors from now on, until it is handed out again. Where the call
// comes from is looked up only if it races: the C++ library lies between.
void watch_free(const void* block, std::size_t size);
// The thread that freed it in this execution, -1 if that is not known.
int freed_by(const void* block);
void watch_reuse(const void* block, std::size_t size);

// Other memory than before stands at the address: what was accessed there is forgotten.
void watch_renewed(const void* memory, std::size_t size);

} // namespace reex
