// Threads as fibers: creation, switch, end.
//
// Callers: the running fiber; capture_stack and use_stack_of, also the controller.
//
// Invariants: exactly one fiber runs at a time. switch_to saves and loads all that belongs to the running
// fiber alone: the FS base, its variables in running.h, and the stamp of its access records.
//
// Cost: about 15 ns for a switch, most of it for the FS base.
#pragma once

#include "reex/runtime/core/fiber.h"
#include "reex/runtime/core/running.h"
#include "reex/runtime/threads/attributes.h"
#include "reex/runtime/threads/donor.h"

namespace reex {

// Null: no donor is left.
Fiber* create_fiber(void* (*start)(void*), void* argument, const Attributes& attributes,
                    const Scheduling& scheduling);
[[noreturn]] void finish_fiber(void* result);
void let_go(Fiber& gone); // a thread has ended, and was joined or is detached: others may have what it had
void begin_threads();     // a new execution, with main alone
void switch_to(Fiber* next);
void use_stack_of(const Fiber& fiber); // the fiber's stack becomes that of the running fiber
void capture_stack(Fiber& fiber);      // the suspended fiber writes its position into the trace
// Whether the walk from where the live fiber stands leads to its outermost function.
bool leads_to_start(Fiber& fiber);

// The end of the fiber's stack (its highest address).
inline const char* stack_end(const Fiber& fiber) {
  return fiber.donor != nullptr ? fiber.stack_high : g_main_stack_end;
}

} // namespace reex
