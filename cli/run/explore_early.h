// Explores a test while its change is still being analysed (change_beside.h): every schedule counts alike
// until the analysis is done.
#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "cli/run/run_observer.h"
#include "cli/subject/change.h"
#include "reex/run/options.h"

namespace reex {

struct EarlyRun {
  TestRun run;
  bool goes_on = false; // the analysis is done, and the change is complete: the test is to be explored by it
};

// `explore` makes a run. The change must not be complete. Where the bound is done, or more time went by than
// is left, the order is not worth a new beginning.
EarlyRun explore_early(Change& change, const ExploreOptions& options, RunObserver& observer,
                       const std::function<TestRun(const ExploreOptions&)>& explore);

// Tells that the order of the change did not count, although it is known by now or not.
void note_unordered(TestRun& run, bool analysed);

// Tells how much the early run did before the order of the change was known.
void note_early(TestRun& run, const TestRun& early);

// Adds to the run what the early one has found, and its claim if it covered more. Schedule files that nothing
// refers to any more are removed.
void join_early(TestRun& run, const TestRun& early);

// Whether it depends on the analysis which findings of the run are failures.
bool awaits_analysis(const TestRun& run, const ExploreOptions& options);

} // namespace reex
