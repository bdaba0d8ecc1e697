// The verdict on one test: one word for people, scripts and the exit status.
#pragma once

#include <cstdint>

#include "reex/run/result.h"

namespace reex {

// The order is that of the words in reports and means nothing else.
enum class Verdict : std::uint8_t {
  passed,
  no_failure_found,
  failed,
  inconclusive,
  uncontrolled,
  not_started,
  interrupted,
  error
};
const char* to_string(Verdict verdict); // "no-failure-found"

// - `passed`: no failure, and all schedules within a bound of 0 or more preemptions were explored. Nothing is
//   missing that would make this untrue (reex/run/gap.h).
// - `no_failure_found`: no failure, but no bound was completed; strategies that sample complete none.
// - `failed`: there is a failure, of an execution or of a finding that counts.
// - `inconclusive`: an execution ended without a verdict (step limit, memory limit, watchdog), what a verdict
//   needs was not to be had (GapEffect::verdict), there was no time for it or for a single execution, or the
//   shards of a merged run had different promoted accesses.
// - `uncontrolled`: the test is not deterministic, or reex refused it; or there was nothing to explore,
//   because it had no second thread or no scheduling point. This includes a test that ended without an error
//   before it created a thread.
Verdict verdict_of(const TestRun& run);

// Whether everything within the bound was explored; without a bound, whether all schedules were.
bool complete(const TestRun& run);

} // namespace reex
