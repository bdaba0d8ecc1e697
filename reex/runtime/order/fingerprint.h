// What an execution has done so far, as a number that does not depend on the order of independent operations:
// two prefixes with the same number have brought the test into the same state (semantics: "Reduction").
//
// Every thread carries a hash of its own history: each of its visible operations adds what it was and the
// hash of the last operation that it depends on (of the same object, one of the two writing). So the history
// determines the whole happens-before order of what the thread has seen, and the sum over all threads, which
// is kept up to date, the Mazurkiewicz trace of the execution.
//
// Sound where everything that threads tell each other goes through visible operations. Plain accesses do
// not; those that race are promoted, and the rest is ordered by what is visible. What else reaches a thread
// past its operations is added by hand: the numbers it is given (addresses, descriptors, time), what another
// one did to it, and calls whose effect nobody knows, which count as ordered with everything.
//
// On the running fiber, inside an execution. Some 10 ns an operation.
#pragma once

#include <cstdint>

#include "reex/runtime/core/fiber.h"
#include "reex/search/seen.h"

namespace reex {

extern bool g_fingerprinting; // this execution is looked at

// A new execution; the controller.
void begin_fingerprint();
// A thread has come to its next operation, or its end, or what it waits for has happened.
void fingerprint_standing(const Fiber& fiber);
// The running fiber executes the operation.
void fingerprint_operation(Operation operation, const void* object);
// More that the operation under way acts on.
void fingerprint_words(Operation operation, const void* address, std::size_t size);
// The running fiber's next operation acts on so many bytes from its object on; otherwise it is a word.
void fingerprint_extent(std::size_t size);
// The running fiber is given a number that depends on what others did before.
void fingerprint_value(std::uint64_t value);
void fingerprint_created(const Fiber& child); // by the running fiber
// The running fiber does something to another one: wakes it.
void fingerprint_touch(const Fiber& other);
// The running fiber takes in all that another one did.
void fingerprint_join(const Fiber& other);
// The running fiber does what may touch anything.
void fingerprint_fence();

// Of the state before a choice, whoever ran last.
StateKey state_key();
// Its pending operation, out of that state.
StateKey key_of_step(StateKey state, const Fiber& fiber);
// What has been executed, wherever the threads have come to since. Nothing where a thread spins.
StateKey reached_key();
// The same, once the thread has executed its pending operation; nothing where that cannot be told before.
StateKey reached_key_after(const Fiber& fiber);

} // namespace reex
