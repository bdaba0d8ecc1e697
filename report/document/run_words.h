// The words of a test's verdict, and of what its run covers, for all reports.
#pragma once

#include <span>
#include <string>

#include "reex/run/result.h"
#include "reex/run/verdict.h"
#include "report/style.h"

namespace reex {

struct VerdictWord {
  Verdict verdict;
  const char* heading;  // "PASSED"
  const char* in_total; // "12 passed"
  Tone tone;
};

std::span<const VerdictWord> verdict_words();
const VerdictWord& word_of(Verdict verdict);

// "1 distinct failure, 2 data races"; for a pass what it claims. Findings are counted too, so that a pass
// does not hide them.
std::string headline(const TestRun& run);

// "icb", "pct, depth 3".
std::string strategy_text(const TestRun& run);
// "bound 2".
std::string bound_text(const TestRun& run);

// What the run claims to have explored.
std::string covered(const TestRun& run);
// What the end of the run left out, and how to get it; "" if there is nothing to tell.
std::string why_ended(const TestRun& run);

// The first few of the modules that are not instrumented; "" if there are none.
std::string uninstrumented_text(const TestRun& run);

} // namespace reex
