// What a run takes for granted (docs/semantics.md: "Time"): a timed wait is not over before what it waits for
// has come, a sleep is as long as it says beside what others do meanwhile, and nobody wakes up without a
// notification. Natively a thread may be held up, and POSIX permits spurious wake-ups. Gaps name the timed
// waits and sleeps that mattered. Where the test has passed and time is left, a short exploration without the
// assumption shows whether the test depends on it. That is told in the gap; it is no failure, for others may
// be in time for certain, and spurious wake-ups are rare.
//
// Callers: the command line, in the parent process, after the exploration of a test.
//
// Cost: for each assumption at most a second and 1,000 schedules. A search that uses up its budget
// leaves a twentieth of it for them.
#pragma once

#include <chrono>
#include <optional>

#include "reex/run/options.h"
#include "reex/run/result.h"

namespace reex {

// What a search with these options leaves of its budget.
std::chrono::milliseconds time_for_trials(const ExploreOptions& options, std::chrono::milliseconds budget);

// `options`: of the run. Tries nothing where `end`, the end of the budget, has come.
void try_assumptions(TestRun& run, const ExploreOptions& options,
                     std::optional<std::chrono::steady_clock::time_point> end);

} // namespace reex
