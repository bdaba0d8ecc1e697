// The terminal report of a run: per test a verdict with what was and what was not explored, and at the end a
// count.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reex/run/result.h"
#include "report/terminal_options.h"

namespace reex {

// What a finished exploration of one test says. The order is that of the words in reports, not a rank.
enum class Verdict : std::uint8_t {
  passed,
  failed,
  inconclusive,
  uncontrolled,
  not_started,
  interrupted,
  error
};

// `uncontrolled`: no second thread or no scheduling point was seen, so there was nothing to explore; a test
// that ended in peace before it started a thread is one, too (`not_started` without an error).
// `failed`: a failure, or findings that the user asked to fail for (TestRun::findings_fail).
// `inconclusive`: no execution reached an end of its own (step limit, watchdog, no time for a single one).
Verdict verdict_of(const TestRun& run);

// The bound (or the whole space, without one) was explored in full.
bool complete(const TestRun& run);

// The verdict's lines of one test; its failures and findings are shown behind, by failure_text() and
// findings_text().
std::string run_text(const TestRun& run, const TerminalOptions& options);

// The table of --outcomes; "" without outcomes.
std::string outcomes_text(const TestRun& run, const TerminalOptions& options);

// "12 tests: 10 passed, 1 failed, 1 inconclusive; 3 data races"; "" for one test.
std::string total_text(const std::vector<TestRun>& runs, const TerminalOptions& options);

} // namespace reex
