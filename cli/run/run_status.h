// The exit status of a run, from what its tests came to.
#pragma once

#include <vector>

#include "cli/terminal/exit_status.h"
#include "reex/run/result.h"

namespace reex {

// The run ended before the test was explored as asked, and a later one may go on from it.
bool can_go_on(const TestRun& run);

// An interruption and an error of reex stand above all, then a failure, a test that does not start, a run in
// which nothing was under control (one concurrent test is enough to be under control), an inconclusive one.
// `strict`: a bound that was not explored in full, or executions without a verdict, are inconclusive, too.
ExitStatus run_status(const std::vector<TestRun>& runs, bool strict, bool interrupted);

} // namespace reex
