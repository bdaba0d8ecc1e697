// Threads as fibers: creation, the switch, the end. On fibers; capture_stack on the controller's stack.
//
// Cost: a switch takes about 15 ns, most of it for the FS base.
#pragma once

#include "reex/runtime/core/fiber.h"
#include "reex/runtime/core/running.h"
#include "reex/runtime/threads/donor.h"

namespace reex {

Fiber* create_fiber(void* (*start)(void*), void* argument, bool detached); // null: no donor is left
[[noreturn]] void finish_fiber(void* result);
void switch_to(Fiber* next);
void use_stack_of(const Fiber& fiber); // as that of the running fiber
void capture_stack(Fiber& fiber); // the controller: the suspended fiber writes its position into the trace

// Where its stack ends (the highest address).
inline const char* stack_end(const Fiber& fiber) {
  return fiber.donor != nullptr ? fiber.donor->stack_high : g_main_stack_end;
}

} // namespace reex
