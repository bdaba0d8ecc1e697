// Wake-ups that nobody has caused (--spurious; semantics: "Spurious wake-ups").
//
// Callers: the scheduler, at a choice point.
#pragma once

#include "reex/runtime/core/fiber.h"

namespace reex {

// The search chooses whether a thread wakes up now from its wait for a condition. To be called only if a
// thread can run, or if time can pass: otherwise the threads wait for ever, because no such wake-up need
// come. Null: none does.
Fiber* choose_spurious_wake();

} // namespace reex
