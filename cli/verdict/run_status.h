// The exit status of a run, from the results of its tests.
#pragma once

#include <vector>

#include "cli/terminal/exit_status.h"
#include "reex/run/result.h"

namespace reex {

// Whether the exploration of the test ended early, or was not begun, and a later run can continue.
bool can_go_on(const TestRun& run);

// The first of these that applies: interrupted; an error of reex; a failure that the base does not have;
// failures that the base has too, or a test that does not start; a run that was not under control (a test is
// not deterministic or was refused, or no test had anything to explore); inconclusive; passed. If `strict` is
// set, a test that was not explored as the user asked makes the run inconclusive.
ExitStatus run_status(const std::vector<TestRun>& runs, bool strict, bool interrupted);

// That of several binaries, by the same order. A usage error comes after the failures, as a test that does
// not start. Each binary has to have been under control.
ExitStatus joined_status(const std::vector<ExitStatus>& statuses);

// "no failure", "failed", "not under control".
const char* words_of(ExitStatus status);

} // namespace reex
