// The text for the terminal of findings, and of failures that come of findings. It comes after the other
// failures. The first few of each have the stacks of both sides; each of the others has one line.
#pragma once

#include <string>
#include <vector>

#include "reex/run/result.h"
#include "report/terminal_options.h"
#include "report/text/source_lines.h"

namespace reex {

// "2 data races, 1 thread never joined"; "" without findings.
std::string finding_counts(const std::vector<Finding>& findings);

// The same of the failures that come of findings.
std::string failing_finding_counts(const std::vector<Failure>& failures);

// The failures of a test that come of findings. "" if there are none. Of those at lines that `told` has, only
// the first is named; it takes in the others. Of those at the same lines the first has stacks.
std::string failing_findings_text(const TestRun& run, const std::string& test, SourceLines& sources,
                                  const TerminalOptions& options, ToldLines* told = nullptr);

// All findings of a test. "" if there are none, and with -q.
std::string findings_text(const TestRun& run, const std::string& test, SourceLines& sources,
                          const TerminalOptions& options);

// A line for each suppression and kind: "2 data races suppressed by .reex.toml:12: REASON"; with -v also what
// was suppressed. "" if nothing was.
std::string suppressed_text(const TestRun& run, const TerminalOptions& options);

} // namespace reex
