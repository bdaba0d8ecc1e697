#include "report/statistics/survival.h"

#include <algorithm>

namespace reex {

std::vector<SurvivalStep> survival_curve(std::span<const Observation> sample) {
  Sample sorted(sample.begin(), sample.end());
  // A censored run is still at risk at its own value.
  std::sort(sorted.begin(), sorted.end(), [](const Observation& a, const Observation& b) {
    return a.value != b.value ? a.value < b.value : a.censored < b.censored;
  });
  std::vector<SurvivalStep> steps;
  double survival = 1;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i].censored) continue;
    std::size_t failures = 1;
    while (i + failures < sorted.size() && !sorted[i + failures].censored &&
           sorted[i + failures].value == sorted[i].value)
      ++failures;
    survival *= 1 - static_cast<double>(failures) / static_cast<double>(sorted.size() - i);
    steps.push_back({sorted[i].value, survival});
    i += failures - 1;
  }
  return steps;
}

} // namespace reex
