// Joins the reports of all shards of a run into the report of the whole run.
//
// Callers: `reex merge`, and `reex run` for the parts of its own run, in the parent process. The functions
// are pure.
//
// Invariants: all shards of a test must have the same identity (reex/explorer/identity.h) and the same number
// of shards. Counts are added; of a failure or an outcome that several shards found, the one that is first in
// the order of exploration, or has the fewest preemptions, remains. The whole run claims a bound only if no
// shard is missing and all had the same promoted accesses.
//
// Cost: every failure, finding and outcome is compared with all others of its kind.
//
// Errors: MergeError, one line that says why the files are not the shards of one run, and what to do.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "reex/run/result.h"
#include "report/run_file.h"

namespace reex {

struct MergeError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// One run for each test of the files. If `partial` is set, shards may be missing; then the run claims no
// bound.
std::vector<TestRun> merge_shards(const std::vector<RunFile>& files, bool partial);

// The tests that any of the files skipped, each once.
std::vector<std::string> skipped_tests(const std::vector<RunFile>& files);

// Adds to a run what an earlier one of the same test, that was to be a part of it, has counted and found. The
// claims, gaps and the end are those of `run`.
void join_earlier(TestRun& run, const TestRun& earlier);

} // namespace reex
