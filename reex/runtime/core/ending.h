// The functions that end an execution or the process. worker, schedule and memory define them.
//
// Callers: a fiber, inside or outside an execution. end_execution and cannot_be_taken_back may also be called
// in a signal handler; refuse, give_up, internal_error and is_failure anywhere in the test process.
//
// Invariants: only is_failure, reach_step_limit, lose_patience and give_way_to_others return to their
// callers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "reex/runtime/core/fiber.h"
#include "reex/shared/ending.h"
#include "reex/shared/findings.h"

namespace reex {

// Ends the execution with `end` and `value`; the controller then concludes it. `message`: one line, or null.
[[noreturn]] void end_execution(End end, int value, const char* message);
// Ends the execution, unless it goes on a little to see whether it only waits (schedule/waits_in_vain.h).
void reach_step_limit();
[[noreturn]] void end_at_limit(); // at the limit or beyond it
// Ends an execution that does not count. It is made again in another way.
[[noreturn]] void throw_away(End end, const char* reason);
// The execution has been patient in vain (worker/patience.h). Throws it away if it is the first one, and
// returns otherwise.
void lose_patience();
// At the end of a time slice. Throws the execution away if it is the first one and has taken too long
// (worker/step_limit.h), and returns otherwise.
void give_way_to_others();
// The same as throw_away, for a system call that a restore cannot undo (filter.cpp).
[[noreturn]] void cannot_be_taken_back(int system_call);

// Runs exit handlers and static destructors, then calls end_execution(End::exited).
[[noreturn]] void exit_process(int status);

// The running fiber has finished: another fiber continues (scheduler.cpp).
void leave_finished(Fiber& self);

bool is_failure(const Ending& ending);

struct FreedAccess {
  std::uintptr_t address;
  unsigned size; // bytes; 0: the access uses a synchronization object
  FindingAct act;
  unsigned freed_by; // the thread that freed the block
};
[[noreturn]] void use_after_free(const FreedAccess& access);
// The running fiber does something with a synchronization object that was destroyed.
[[noreturn]] void use_after_destroy(const char* kind, const char* what);
// The same in memory that was unmapped, where it faults.
[[noreturn]] void use_after_unmap(const char* kind, const char* what);

// End the exploration. refuse: the test uses `what`, which reex cannot control. give_up: for another reason
// that lies in the test.
[[noreturn]] void refuse(const char* what);
[[noreturn]] void give_up(const char* reason);
// An error of the runtime itself; the parent exits with status 70.
[[noreturn]] void internal_error(const char* what);

} // namespace reex
