// Decides which findings of a test make it fail (docs/semantics.md: "Verdicts").
#pragma once

#include <functional>
#include <set>
#include <string>

#include "reex/run/options.h"
#include "reex/trace/trace_reader.h"

namespace reex {

struct FindingPolicy {
  Races races = Races::fail;
  bool strict = false; // every finding makes the test fail
  RuntimeFiles runtime;
  FrameBits frame_bits; // empty without a change
  // Whether a line follows from the change (impact/follow.h); empty without one.
  std::function<bool(const Frame&)> follows{};
  // Whether an earlier run of the base has shown the race; empty without a change.
  std::function<bool(const Finding&)> base_has_shown{};
  std::string base_binary; // "" for none
  // Why a race may be of the change although nothing tells so, and what helps; "" if what the change has an
  // impact on is known.
  std::string unjudged{};
  std::string remedy{};
  // The changed files of which only the changed lines are known: a race in one of them may be of the change.
  std::set<std::string> unparsed{};
};

// Whether the finding makes the test fail, or may do so: it then needs a schedule file.
bool may_fail(const Finding& finding, const FindingPolicy& policy);

// After the exploration: the findings that make the test fail become failures, behind all others. The other
// ones lose their schedule files. If it is not known what the change has an impact on, a race may be one of
// it: then the run has a gap, and no verdict.
void judge_findings(TestRun& run, const FindingPolicy& policy);

} // namespace reex
