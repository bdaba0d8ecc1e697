// Where the stack of a fiber ends (its highest address).
#pragma once

#include "reex/runtime/core/runtime.h"
#include "reex/runtime/threads/donor.h"

namespace reex {

extern char* g_main_stack_end; // as it was when the process began, in every mode

inline const char* stack_end(const Fiber& fiber) {
  return fiber.donor != nullptr ? fiber.donor->stack_high : g_main_stack_end;
}

} // namespace reex
