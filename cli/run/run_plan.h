// What a run is about to do and what it cannot do, as words: notes before it, the text of --dry-run, and the
// line that explains an exit status which is neither pass nor failure.
#pragma once

#include <string>
#include <vector>

#include "cli/options/options.h"
#include "cli/subject/change.h"
#include "cli/subject/tests_of_binary.h"
#include "cli/terminal/exit_status.h"
#include "reex/run/result.h"

namespace reex {

// Basic has no use for a change, any other heuristic does.
bool heuristic_needs_change(const std::string& name);

// Throws UsageError for options of a strategy that is not the one chosen, or that lack what they need.
void check_strategy(const Options& options);

// One line each; `change` is null without one.
std::vector<std::string> run_notes(const Options& options, const BinaryInfo& binary,
                                   const TestSelection& tests, const Change* change);

std::string plan_text(const Options& options, const BinaryInfo& binary, const TestSelection& tests,
                      const Change* change);

// What a few executions of each test make expect of the rest.
std::string expectation_text(const std::vector<TestRun>& probes);

// One line, what happened and what to do; "" for a pass and a failure, whose reports say all.
std::string status_line(ExitStatus status, const std::vector<TestRun>& runs, const BinaryInfo& binary);

} // namespace reex
