// The JSON of a run (docs/json.md), read again: what `reex merge` and --promote-from go by.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "reex/run/result.h"

namespace reex {

struct RunFile {
  std::string name; // as it was given
  std::string base; // 40 digits; "" without a change
  bool several_tests = false;
  std::vector<std::string> notes; // about the whole run
  // Failures and findings only of shards, which write them in full; estimates never.
  std::vector<TestRun> runs;
};

// One line: what happened and what to do.
struct RunFileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws RunFileError for a file that is missing, or no report.
RunFile read_run_file(const std::string& path);
// `name` stands in the errors.
RunFile parse_run_file(const std::string& text, const std::string& name);

} // namespace reex
