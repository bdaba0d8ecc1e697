// The result of a replay.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reex/run/options.h"
#include "reex/run/result.h"

namespace reex {

struct ReplayResult {
  // not_started: the test, run by itself, does not work either. uncontrolled: it does, and there was no
  // execution.
  enum class Verdict : std::uint8_t { passed, failed, diverged, not_started, uncontrolled };
  Verdict verdict = Verdict::not_started;
  std::string message; // "diverged at step 12: expected ..., saw ...", or why there was no execution
  std::optional<Failure> failure; // if the execution failed; with the trace
  Schedule how;                   // the schedule that was executed
  std::optional<int> exit;
  std::string stdout_text;
  std::string stderr_text;
  std::vector<std::string> notes; // "the binary was rebuilt since: ..."
  bool rebuilt = false;
  Accesses accesses = Accesses::racy;   // the mode of the execution
  std::vector<PromotedAccess> promoted; // the promoted accesses of the execution
};

} // namespace reex
