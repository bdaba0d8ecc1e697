// The text of findings for the terminal. It comes after the failures. The first few findings have the stacks
// of both sides; each of the others has one line.
#pragma once

#include <string>
#include <vector>

#include "reex/run/result.h"
#include "report/source_lines.h"
#include "report/terminal_options.h"

namespace reex {

// "2 data races, 1 thread never joined"; "" without findings.
std::string finding_counts(const std::vector<Finding>& findings);

// All findings of a test. "" if there are none, and with -q if they do not fail the test.
std::string findings_text(const TestRun& run, const std::string& test, SourceLines& sources,
                          const TerminalOptions& options);

} // namespace reex
