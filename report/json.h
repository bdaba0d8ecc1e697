// The JSON report of a run, format 1 (docs/json.md). Later versions of reex may add members; they never
// rename one.
#pragma once

#include <string>
#include <vector>

#include "reex/run/result.h"

namespace reex {

struct JsonContext {
  std::string version;                   // of reex
  std::string base;                      // 40 digits; "" without a change
  bool several_tests = false;            // the binary has more than one test, explored or not
  std::vector<std::string> notes;        // about the whole run
  std::vector<std::string> skipped = {}; // by --select: tests that can reach nothing impacted
};

// The document, indented, with a line feed at its end.
std::string run_json(const std::vector<TestRun>& runs, const JsonContext& context);

} // namespace reex
