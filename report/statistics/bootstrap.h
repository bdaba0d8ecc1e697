// Intervals by the bootstrap: a statistic of samples that are drawn anew, with replacement, from those that
// were observed (Efron 1979; percentiles).
//
// The draws follow from a constant, so the same samples have the same interval everywhere.
//
// Cost: 2,000 evaluations of the statistic.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "report/statistics/observation.h"

namespace reex {

// 95 of 100.
struct Interval {
  double low = 0;
  double high = 0;
};

// The statistic gets one sample for each of `samples`, of the same size. nullopt if a sample has fewer than
// two values, or if the statistic has no value for one in ten of the draws.
std::optional<Interval>
bootstrap(const std::vector<Sample>& samples,
          const std::function<std::optional<double>(const std::vector<Sample>&)>& statistic);

} // namespace reex
