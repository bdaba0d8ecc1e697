// The fingerprint of an execution: a number for what has been executed so far. It does not depend on the
// order of independent operations. Two prefixes with the same fingerprint have brought the test into the same
// state (semantics: "Reduction").
//
// Each thread carries a hash of its own history. Each of its visible operations adds what it is and the
// hashes of the last operations on which it depends (on the same object, where one of the two writes). So the
// history determines the happens-before order of all that the thread has seen. The sum over all threads,
// which is updated with each operation, identifies the Mazurkiewicz trace of the execution.
//
// Callers: the running fiber, inside an execution; begin_fingerprint, the controller.
//
// Invariants: the fingerprint is sound if all influence between threads passes through visible operations, or
// is added by hand. Plain accesses are not visible: those that race are promoted, and visible operations
// order the others. Three things are added by hand: the values that a thread receives (addresses,
// descriptors, time), what another thread does to it, and calls with an unknown effect, which are ordered
// with everything.
//
// histories.h computes it. What a thread does is noted in the script of the test, too (script.h).
//
// Cost: about 10 ns for each operation.
//
// Source: happens-before caching, see search/seen.h.
#pragma once

#include <cstdint>

#include "reex/runtime/core/fiber.h"
#include "reex/search/search_state.h"

namespace reex {

extern bool g_fingerprinting; // this execution computes fingerprints; begin_fingerprint sets it

// Starts a new execution.
void begin_fingerprint();
// Code has come: no reduction from now on, if it is up to reex (--reduction auto). `unseen`: threads may talk
// unseen in it.
void stop_fingerprinting(bool unseen);
// The thread has come to its next operation or to its end, or the event for which it waits has happened.
void fingerprint_standing(const Fiber& fiber);
// The running fiber executes the operation.
void fingerprint_operation(Operation operation, const void* object);
// It executes another one inside of it, for example unlocks a mutex in a wait.
void fingerprint_inner_operation(Operation operation, const void* object);
// The operation under way also acts on these bytes.
void fingerprint_words(Operation operation, const void* address, std::size_t size);
// The running fiber's next operation acts on `size` bytes from its object on; without this call, on one word.
void fingerprint_extent(std::size_t size);
// The running fiber receives a value that depends on earlier operations of other threads.
void fingerprint_value(std::uint64_t value);
// The running fiber is about to let the search choose among these, and gets the chosen one.
void fingerprint_choice(ChoiceKind kind, const std::uint16_t* ids, unsigned count);
void fingerprint_chosen(std::uint16_t id);
// A thread is created: `reuse`, if it gets the slot of one that is gone, before that one is overwritten.
void fingerprint_reuse(const Fiber& gone);
void fingerprint_created(Fiber& child); // called by the running fiber
// The running fiber acts on another one, for example wakes it.
void fingerprint_touch(Fiber& other);
// The running fiber takes in all that another one has done.
void fingerprint_join(const Fiber& other);
// The running fiber has left functions whose frames were there: a write to what was ever used there.
void fingerprint_left(std::uintptr_t low, std::uintptr_t high);
// For the script, of the running fiber, which executes an operation: the object's gate was `before`, and is
// `now` (order/gates.h). Also before the first thread.
void fingerprint_gate(const void* object, int before, int now);
// The same in a call that is no operation: the object is made or destroyed.
void fingerprint_new_gate(const void* object, int now);
// Whether the running fiber is the only thread: what it does next depends on this. The script notes it.
bool is_alone();
// For the script: what the running fiber does next does not follow from its history. `for_good`: nor what
// others do in this execution.
void fingerprint_dark(bool for_good);
// For the script: from now on, what happens in this execution does not follow from histories alone.
void stop_noting();
// The running fiber does something that may touch anything.
void fingerprint_fence();
// Virtual time has passed, for all threads.
void fingerprint_time();

// The state before a choice, without the thread that ran last.
StateKey state_key();
// The step that executes the pending operation of the thread with this number, in that state. `reached`: of
// the same state, if it is known.
StateKey key_of_step(StateKey state, StateKey reached, std::uint64_t id);
// The state without the pending operations. 0 if a thread spins.
StateKey reached_key();
// The state at the end of the execution, for the controller. 0 if the execution had no fingerprint.
StateKey final_key();
// What the future depends on beside the histories of the threads. To ask takes a look at each thread.
StateKey surroundings();
// As reached_key(), after the fiber will have executed its pending operation. 0 if this is not known before.
// `surroundings`: those of now.
StateKey reached_key_after(const Fiber& fiber, StateKey surroundings);

} // namespace reex
