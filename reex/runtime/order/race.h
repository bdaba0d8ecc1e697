// Detects data races and accesses to freed memory in the executions that the search makes anyway. Every eight
// bytes of the test's memory have a cell of access records (shadow_memory.h). A cell holds the last accesses
// of each kind with which a later access could still race. A new access is compared with them by the vector
// clocks of happens_before.h.
//
// Callers: the running fiber during an execution; begin_watching, the controller. A restore leaves
// g_instrumented and g_watching alone; begin_watching resets g_watching. g_instrumented stays set once
// __tsan_init was called.
//
// Invariants: no record is dropped at random.
// 1. An access record loses bytes only to a later access that happens after it and conflicts with all that it
//    conflicts with there. For one thread, the newest instruction stays, so that the promotion of racing
//    instructions reaches all of them.
// 2. A record races with the new access if the two overlap, come from different slots, at least one writes,
//    not both are atomic, and the record's clock is greater than what the running thread knows about that
//    slot. Threads that had a slot one after the other are ordered (happens_before.cpp).
// 3. Freeing memory is a write, and it leaves a mark: in each cell, or one mark for a whole page that nobody
//    has accessed. An access that finds the mark is an error.
// 4. Accesses of one instruction at one clock share a record, with all their bytes (shadow_memory.h).
// 5. Records carry the number of their execution, so nothing is cleared between executions.
// 6. A thread that is alone, and that has taken in what all others did, makes no records: no later access can
//    race with its own.
//
// 7. What a thread accesses between two of its visible operations and what its signal handler accesses that
//    runs before the second one may happen in either order. Where they conflict, the thread's access becomes
//    a visible operation as after an expected race, so that handlers run before it, too. So rule 1 leaves the
//    record there for the handler's next accesses. The thread's end is one of its operations in this sense,
//    if signals are sent to it (finding.h). doubtful.h says what that means for other threads.
//
// Cost: about 3 ns for an access.
//
// Source: FastTrack (Flanagan and Freund, PLDI 2009): one epoch, a thread and its clock, identifies an
// access. The bytes of a word are distinguished as in the shadow words of ThreadSanitizer.
#pragma once

#include <cstddef>
#include <cstdint>

#include "reex/shared/findings.h"
#include "reex/shared/operation.h"

namespace reex {

extern bool g_instrumented; // some module of the test calls the hooks
extern bool g_watching; // accesses are examined: the test is instrumented and has had more than one thread

// Starts a new execution.
void begin_watching();
// A second thread has been created.
void start_watching();
// The space for this execution's records is used up.
void stop_looking_for_races();
// This process, which the test forked, must not write where the worker keeps its records.
void leave_records_alone();

// Called by the hooks. `pc` is the return address in the code that accesses.
void watch_access(const void* address, std::size_t size, FindingAct act, void* pc);
// The running fiber has executed an atomic read-modify-write, and has taken in what was published there: the
// records of other threads' atomic operations that this one follows and covers (rule 1) go. Otherwise a
// variable that many threads use would keep a record of each.
void drop_followed(const void* address, std::size_t size, void* pc);

// The running fiber uses a synchronization object: it must not lie in freed memory. A futex wake is only a
// finding there: it is the kernel's, and touches nothing (std::promise and std::counting_semaphore do so, if
// they are destroyed as soon as the other thread may go on). True: it has not been destroyed either
// (lifetime.h); otherwise this is not known.
bool watch_object(const void* object, Operation operation, void* pc);

// The block is freed: accesses to it are errors until it is allocated again. The caller of free is looked up
// only if it races, because that takes a walk through the C++ library's frames.
void watch_free(const void* block, std::size_t size);
// The thread that freed the block in this execution; -1 if this is not known.
int freed_by(const void* block);
void watch_reuse(const void* block, std::size_t size);

// The running fiber has left functions whose frames were there: a write to all of it. watch_left reports the
// accesses of other threads with which it races, is_racing_end whether there are any.
bool is_racing_end(std::uintptr_t low, std::uintptr_t high);
void watch_left(std::uintptr_t low, std::uintptr_t high);

// The running fiber has unmapped the range: a write to all of it, like freeing. Later accesses fault. Ranges
// beyond a gibibyte are not examined.
void watch_unmapped(const void* memory, std::size_t size);

// The address now holds different memory: forgets the accesses to what was there before.
void watch_renewed(const void* memory, std::size_t size);

} // namespace reex
