// Whether a test that did not come under control starts at all. Only a run of the test by itself can tell.
//
// Callers: the parent process, when no process of the test runs.
//
// Cost: a run of the test without control, for at most ten seconds.
#pragma once

#include <string>

#include "reex/process/captured_process.h"
#include "reex/process/test_process.h"
#include "reex/run/run_error.h"

namespace reex {

// The test without the runtime, and otherwise as TestProcess starts it: the same arguments, environment and
// working folder, and an empty standard input. Processes that it leaves behind are killed.
CapturedProcess run_natively(const TestCommand& command);

// The error of a test that was seen to end, or not to start, for the reason `seen`. It is of the kind
// `not_started` only if the test, run by itself now, ends otherwise than with 0. If not, it is of the kind
// `otherwise`. The text says both.
RunError start_error(const TestCommand& command, const std::string& seen,
                     ErrorKind otherwise = ErrorKind::uncontrolled);

} // namespace reex
