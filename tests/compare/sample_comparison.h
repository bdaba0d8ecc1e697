// A comparison that was made up, with all that may occur: runs that found it, ended without, and say nothing.
#pragma once

#include "report/compare/comparison.h"

namespace reex {

Comparison sample_comparison();

// A run of 22 steps that fails, and its change: line 12 is in the diff, and line 40 is not.
class FailingRun : public SourceLines {
public:
  FailingRun();
  RunReport report();
  Failure& failure() { return m_runs.front().failures.front(); }
  std::string trimmed(const std::string& file, unsigned line) override;

private:
  std::vector<TestRun> m_runs;
  ChangeView m_change;
};

// A run of it that found a failure at this schedule.
RunRecord found_at(const RunId& id, std::uint64_t schedule);
// One that ended at its limit, or for another reason.
RunRecord not_found(const RunId& id, std::uint64_t schedules, const std::string& ended = "schedule_limit");

} // namespace reex
