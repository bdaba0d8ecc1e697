// Joins the runs of all shards to the run that they are parts of.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "reex/run/result.h"
#include "report/run_file.h"

namespace reex {

// One line: why the files are not the shards of one run, and what to do.
struct MergeError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// For each test of the files its run. `partial`: shards may be missing; what they hold is not claimed then.
// Throws MergeError.
std::vector<TestRun> merge_shards(const std::vector<RunFile>& files, bool partial);

} // namespace reex
