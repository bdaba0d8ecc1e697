// The estimate of what is left, as text.
#pragma once

#include <string>
#include <vector>

#include "reex/run/result.h"

namespace reex {

// "about 2,300" (with two significant digits), "about 10^40", "too many".
std::string estimated_count(const Left& left);

// "less than a second", "3 minutes", "2 days", "more than a century".
std::string estimated_time(double seconds);

// "about 2,300 left at bound 2, 3 minutes", for the highest bound; "" if nothing is left or known.
std::string left_in_progress(const std::vector<Left>& estimate);

// "about 40 schedules left at bound 1, less than a second at this speed; about 2,300 at bound 2, 3 minutes".
std::string left_at_the_end(const std::vector<Left>& estimate);

// One line for each bound; for --dry-run.
std::string left_before(const std::vector<Left>& estimate);

} // namespace reex
