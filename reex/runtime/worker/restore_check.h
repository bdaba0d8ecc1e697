// Compares the runtime's own variables at the start of later executions with what they were at the start of
// the first one. A restore leaves them alone, so each must be set back by its owner, or be kept on purpose.
// Only the tests of reex ask for this: the environment variable names the file that gets what differs.
//
// Callers: the controller.
//
// Cost: nothing, if it is not asked for. Otherwise a walk through all variables.
#pragma once

namespace reex {

// Before the filter is installed.
void prepare_restore_check();

// At the start of each execution, when everything has been set back.
void check_restore();

} // namespace reex
