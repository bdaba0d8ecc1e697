// What a primitive is written with: the choice point before its operation, a second wait inside it, and what
// it has read or written for the detection of spins. Called on the fiber that executes the operation. Outside
// an execution all of these return at once, or wait alone.
//
// Defined above this folder, in schedule (scheduler.cpp, spin.cpp): a primitive needs no more of the
// scheduler than these declarations. Cost: some 50 ns for a choice point.
#pragma once

#include <cstdint>

#include "reex/runtime/core/fiber.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/machine/platform.h"
#include "reex/search/search.h"

namespace reex {

// A choice point stands before `operation`; returns when the calling fiber is to execute it. `pc` and `frame`
// are the caller's, see REEX_POINT.
void visible(Operation operation, void* object, void* pc, void* frame);

// The same, with a deadline in virtual time and a value for the pending operation.
void visible_pending(Operation operation, void* object, void* pc, void* frame, std::uint64_t deadline,
                     std::uint64_t value);

// The same for an operation that needs no choice (thread creation, a join that can complete): it only appears
// in the trace.
void note(Operation operation, void* object, void* pc, void* frame);

// Waits a second time inside one operation: the fiber's pending operation becomes `operation`.
void wait_until(Operation operation, void* object, std::uint64_t deadline);

// The fiber's read saw `value`, with nothing but reads since: a spin may be found. Failed writes (trylock,
// compare-exchange) count as reads.
void note_read(void* object, std::uint64_t value);
// The fiber wrote to the object: spins on it end.
void note_write(void* object);
void end_spin(Fiber& fiber);

// A cancellation point, for the functions that POSIX names so: called on the fiber, outside `Inside`, when
// the operation may be executed and before its effect. Does not return where the thread is cancelled
// (cancel.cpp).
void testcancel();

// Which waiter a notification wakes, or whether a weak operation fails: an index below `count`, the first
// outside a worker.
unsigned choose_among(ChoiceKind kind, const std::uint16_t* ids, unsigned count);

#define REEX_FRAME (static_cast<char*>(__builtin_frame_address(0)) + 16)
#define REEX_POINT(operation, object) ::reex::visible((operation), (object), REEX_CALLER, REEX_FRAME)

// For operations that may count as reads: the registers that the caller relies on are pushed first, where a
// spin is judged by them.
#define REEX_READ_POINT(operation, object) (__builtin_unwind_init(), REEX_POINT(operation, object))

#define REEX_READ_CALLER (__builtin_unwind_init(), REEX_CALLER), REEX_FRAME

} // namespace reex
