// What the search estimates to be left (search/estimate.h), as the parent tells it.
#pragma once

#include <vector>

#include "reex/run/result.h"
#include "reex/shared/control.h"

namespace reex {

// Lowest bound first; empty before the first execution has ended, and of a strategy that samples.
// `seconds` have passed: the time left is reckoned at the speed so far.
std::vector<Left> schedules_left(const ControlBlock& control, double seconds);

} // namespace reex
