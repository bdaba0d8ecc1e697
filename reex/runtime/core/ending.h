// How an execution ends, and how the process does. None of these returns to its caller; each may be called on
// any fiber, end_execution in a signal handler too. Defined above this folder, in worker and memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "reex/runtime/core/fiber.h"
#include "reex/shared/control.h"

namespace reex {

// The execution ends as told; the controller concludes it. `message`: one line, or null.
[[noreturn]] void end_execution(End end, int value, const char* message);
[[noreturn]] void reach_step_limit();
// The execution counts for nothing: it is made again in another way.
[[noreturn]] void throw_away(End end, const char* reason);
// The same for a system call that a restore cannot take back (filter.cpp).
[[noreturn]] void cannot_be_taken_back(int system_call);

// Exit handlers, static destruction, then end_execution(End::exited).
[[noreturn]] void exit_process(int status);

// The running fiber has finished: another one goes on (scheduler.cpp).
void leave_finished(Fiber& self);

bool is_failure(End end);

struct FreedAccess {
  std::uintptr_t address;
  unsigned size; // bytes; 0: a synchronization object is used
  FindingAct act;
  unsigned freed_by; // thread
};
[[noreturn]] void use_after_free(const FreedAccess& access);

// The exploration ends: the test uses what cannot be controlled, which is named; or a reason of the test's
// own.
[[noreturn]] void refuse(const char* what);
[[noreturn]] void give_up(const char* reason);
// An error of the runtime's own; the parent exits with 70.
[[noreturn]] void internal_error(const char* what);

} // namespace reex
