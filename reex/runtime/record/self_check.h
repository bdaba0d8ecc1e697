// The self-check. reex executes the first schedule a second time, after a restore if executions are restored.
// Every operation must be the same as in the first execution. If one is not, the test depends on something
// that reex does not control, and an exploration would mean nothing.
//
// Callers: the controller, before and after an execution; check_step, the running fiber; note_death_in_check,
// the zygote.
//
// Invariants: what was recorded lies in the control block and survives the worker. The variables of the file
// are reset when one of the two executions begins. All other executions skip the check.
//
// Cost: a stack walk for each of the first 4,096 operations of the first execution.
#pragma once

#include "reex/runtime/core/fiber.h"
#include "reex/shared/ending.h"

namespace reex {

// Before an execution: the first schedule runs for the first time (begin_recording), or is due to run again
// (check_is_due) and does so (begin_check).
void begin_recording();
bool check_is_due();
void begin_check(bool after_restore);

// In one of these executions, when an operation is about to be executed. Ends the second execution where it
// differs.
void check_step(const Fiber& fiber);

// After an execution. The buffers of the test's output must have been flushed.
void end_recording();
// `restores`: the process goes on, and the next execution comes after a restore. If this one did not, that
// one is compared, too.
enum class Checked : unsigned char { not_running, same, differs };
Checked end_check(bool restores);

// The worker died in the second execution.
void note_death_in_check(End end, int value);

} // namespace reex
