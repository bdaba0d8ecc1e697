// The self-check: the first schedule is executed once more, after a restore where executions are restored,
// and has to do the same, operation by operation. Where it does not, the test depends on something that is
// not under control, and exploring it would mean nothing. Called by the controller, and at every operation of
// the two executions; the others know nothing of it.
#pragma once

#include "reex/runtime/core/fiber.h"
#include "reex/shared/control.h"

namespace reex {

// The controller, before an execution: the first schedule is about to run for the first time, or is to run
// again.
void begin_recording();
bool check_is_due();
void begin_check(bool after_restore);

// In such an execution, at an operation about to be executed. Ends the second where it differs.
void check_step(const Fiber& fiber);

// The controller, after an execution. What was written to the descriptors has to be there.
void end_recording();
enum class Checked : unsigned char { not_running, same, differs };
Checked end_check();

// The zygote: the worker died in the second execution.
void note_death_in_check(End end, int value);

} // namespace reex
