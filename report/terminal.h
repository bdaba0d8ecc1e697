// The terminal report of a run: for each test a verdict and what was and was not explored; at the end,
// counts.
#pragma once

#include <string>
#include <vector>

#include "reex/run/result.h"
#include "reex/run/verdict.h"
#include "report/terminal_options.h"

namespace reex {

// The lines of one test's verdict. failure_text() and findings_text() make the text that follows. With
// `told`, a gap that costs no verdict and a note are told once, and later tests refer to them.
std::string run_text(const TestRun& run, const TerminalOptions& options, ToldLines* told = nullptr);

// The table of --outcomes; "" without outcomes.
std::string outcomes_text(const TestRun& run, const TerminalOptions& options);

// The tests that --select left out, one a line; "" if there are none.
std::string skipped_text(const std::vector<std::string>& skipped, const TerminalOptions& options);

// Whether the test, one of several, is only named at the end: it was not begun, or it has no second thread.
bool is_told_at_the_end(const TestRun& run, const TerminalOptions& options);
// Those, by name; "" if there are none.
std::string unexplored_text(const std::vector<TestRun>& runs, const TerminalOptions& options);

// "12 tests: 10 passed, 1 failed, 1 inconclusive; 3 data races"; "" for one test.
std::string total_text(const std::vector<TestRun>& runs, const TerminalOptions& options);

} // namespace reex
