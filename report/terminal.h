// The terminal report of a run: for each test a verdict and what was and was not explored; at the end,
// counts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reex/run/result.h"
#include "report/terminal_options.h"

namespace reex {

// The verdict of the exploration of one test. The order is that of the words in reports and means nothing
// else.
enum class Verdict : std::uint8_t {
  passed,
  failed,
  inconclusive,
  uncontrolled,
  not_started,
  interrupted,
  error
};

// - `failed`: there is a failure, or there are findings that fail the test (TestRun::findings_fail).
// - `uncontrolled`: the test is not deterministic, or reex refused it; or there was nothing to explore,
//   because it had no second thread or no scheduling point. This includes a test that ended without an error
//   before it created a thread.
// - `inconclusive`: an execution ended without a verdict (step limit, memory limit, watchdog), or there was
//   no time for a single execution, or the shards of a merged run had different promoted accesses.
Verdict verdict_of(const TestRun& run);

// Whether everything within the bound was explored; without a bound, whether all schedules were.
bool complete(const TestRun& run);

// The lines of one test's verdict. failure_text() and findings_text() make the text that follows.
std::string run_text(const TestRun& run, const TerminalOptions& options);

// The table of --outcomes; "" without outcomes.
std::string outcomes_text(const TestRun& run, const TerminalOptions& options);

// "12 tests: 10 passed, 1 failed, 1 inconclusive; 3 data races"; "" for one test.
std::string total_text(const std::vector<TestRun>& runs, const TerminalOptions& options);

} // namespace reex
