// Explores one test with what is known of its change, and takes the change's order in as soon as its
// analysis, which goes on beside, is done.
#pragma once

#include <optional>

#include "cli/run/explore_tests.h"
#include "cli/run/run_observer.h"
#include "reex/run/options.h"

namespace reex {

// Makes a run of the test of `options` as they are. Throws UsageError where a file that the user has named is
// unfit: the profile, the state of --resume, the folder of the schedule files.
TestRun explore_test(const ExploreOptions& options, RunObserver& observer);

// Explores the test of `options`; where the analysis ends meanwhile, and the order is worth it, anew by the
// order of the change. `end` is the end of the whole run, if it has one.
TestRun explore_with_change(const ExploreTests& job, ExploreOptions& options, RunObserver& observer,
                            std::optional<Time> end);

// False while the change is analysed beside. True without a change.
bool is_analysed(const ExploreTests& job);

// Gives the analysis of the change a short time before the first execution.
void await_analysis(const ExploreTests& job, ExploreOptions& options);

// Waits until the analysis of a change that is not analysed is done, and has its order in `options` then.
// False if it takes longer than until `end`, or the user wants an end.
bool complete_change_by(const ExploreTests& job, ExploreOptions& options, Time end);

// The same, without a wait. It may be called of any change.
void complete_change_if_done(const ExploreTests& job, ExploreOptions& options);

} // namespace reex
