// Texts about a run: notes before it, the text of --dry-run, and the line that explains an exit status that
// is neither a pass nor a failure.
#pragma once

#include <string>
#include <vector>

#include "cli/options/options.h"
#include "cli/subject/change.h"
#include "cli/subject/tests_of_binary.h"
#include "cli/terminal/exit_status.h"
#include "reex/run/result.h"

namespace reex {

// True for every heuristic except Basic.
bool heuristic_needs_change(const std::string& name);

// Throws UsageError if an option belongs to another strategy than the chosen one, or lacks what it needs.
void check_strategy(const Options& options);

// What is done about data races: as asked for, or what is the default for this run.
Races races_policy(const Options& options);
// Throws UsageError if an option about races lacks what it needs.
void check_races(const Options& options);

// One line each; `change` is null without one.
std::vector<std::string> run_notes(const Options& options, const BinaryInfo& binary,
                                   const TestSelection& tests, const Change* change);

std::string plan_text(const Options& options, const BinaryInfo& binary, const TestSelection& tests,
                      const Change* change);

// What to expect of the run, after a few executions of each test.
std::string expectation_text(const std::vector<TestRun>& probes);

// One line that says what happened and what to do; "" for a pass and for a failure, whose reports say it.
// Of tests that were not begun, the hook tells itself: its budget is another, and it cannot be resumed.
std::string status_line(ExitStatus status, const std::vector<TestRun>& runs, const BinaryInfo& binary,
                        const Options& options, bool resumable);

} // namespace reex
