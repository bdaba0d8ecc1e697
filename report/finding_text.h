// Findings as they are shown on the terminal, behind the failures: the first few with the stacks of both
// sides, the rest in a line each.
#pragma once

#include <string>
#include <vector>

#include "reex/run/result.h"
#include "report/source_lines.h"
#include "report/terminal_options.h"

namespace reex {

// "2 data races, 1 thread never joined"; "" without findings.
std::string finding_counts(const std::vector<Finding>& findings);

// All findings of a test; "" without any, and with -q where they do not fail the test.
std::string findings_text(const TestRun& run, const std::string& test, SourceLines& sources,
                          const TerminalOptions& options);

} // namespace reex
