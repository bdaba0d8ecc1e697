// Whether it pays to go by the change: whether the judged heuristic needs fewer schedules than Basic, and
// than random.
#pragma once

#include "report/compare/analysis.h"

namespace reex {

// By the intervals of the factors, under the default reduction. Where the interval has 1.0 in it, nothing is
// claimed.
ComparisonVerdict verdict_on(const Comparison& comparison, const Findings& findings);

} // namespace reex
