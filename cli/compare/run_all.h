// Makes the runs of a comparison, several at a time, each in a process of its own.
#pragma once

#include <string>
#include <vector>

#include "cli/compare/compare_plan.h"
#include "cli/compare/compare_progress.h"
#include "cli/compare/compare_subject.h"
#include "cli/compare/results_file.h"

namespace reex {

enum class RunsEnd : std::uint8_t {
  complete,
  interrupted,
  nothing_found // the first round is over, and no strategy has found a failure
};

struct RunAll {
  const CompareSubject& subject;
  const std::vector<Contestant>& contestants;
  const ComparisonPlan& plan;
  const std::string& folder;
  unsigned jobs = 1;
};

// Each run that is not in `results` yet is made and appended. What is under way when the user interrupts is
// killed, and made again the next time. Throws CommandError if a run cannot be made, and if the runs do not
// all isolate executions in the same way, because then they cannot be compared.
RunsEnd run_all(const RunAll& job, ResultsFile& results, CompareProgress& progress);

} // namespace reex
