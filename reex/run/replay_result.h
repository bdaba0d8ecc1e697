// What came of a replay.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reex/run/options.h"
#include "reex/run/result.h"

namespace reex {

struct ReplayResult {
  enum class Verdict : std::uint8_t { passed, failed, diverged, not_started };
  Verdict verdict = Verdict::not_started;
  std::string message;            // "diverged at step 12: expected ..., saw ..." or why it did not start
  std::optional<Failure> failure; // with the trace, when it failed
  Schedule how;                   // what was executed
  std::optional<int> exit;
  std::string stdout_text;
  std::string stderr_text;
  std::vector<std::string> notes; // "the binary was rebuilt since: ..."
  bool rebuilt = false;
  Accesses accesses = Accesses::racy;   // what it was executed with
  std::vector<PromotedAccess> promoted; // visible accesses of the execution
};

} // namespace reex
