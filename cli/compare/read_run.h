// What a run of a comparison has shown, from its JSON report and its exit status.
#pragma once

#include <optional>
#include <string>

#include "report/compare/comparison.h"

namespace reex {

struct EndedRun {
  RunId id;
  std::string report;  // the path of its JSON report
  int wait_status = 0; // as wait() tells it
  std::string tail;    // the end of what it printed
  double processor_seconds = 0;
  bool steps_limited = false; // --max-steps was given: an execution that reaches it is what was asked for
};

// Beside the JSON report: the failure that may be shown.
std::string shown_report(const std::string& report);

// nullopt if the run was interrupted. A run without a report, or with a verdict that says nothing of the
// strategy, is one that was not judged. Throws CommandError if the run was refused for its options or its
// change (status 2, 6), or was not one that was asked for: then no run can be made.
std::optional<RunRecord> read_run(const EndedRun& ended);

} // namespace reex
