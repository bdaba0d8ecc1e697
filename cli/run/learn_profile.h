// Explores a test with a profile (--profile FILE). If there is no such file, a run of its own learns it
// first: its lessons. They are the same wherever they are made, with one worker and without shards. Then all
// samples are drawn from the profile, and those of all shards together are those of one run.
//
// Errors: UsageError, if the file does not fit the test and the options, or cannot be read or written.
#pragma once

#include <functional>
#include <string>

#include "reex/run/options.h"

namespace reex {

// `explore` makes a run. `resume`: lessons that were interrupted go on, and those that were not tell again
// what they have found. The result includes the lessons. They are the whole run if they end it: they fail,
// say.
TestRun explore_with_profile(const std::string& file, bool resume, ExploreOptions options,
                             const std::function<TestRun(const ExploreOptions&)>& explore);

} // namespace reex
