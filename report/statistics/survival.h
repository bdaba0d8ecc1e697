// The part of the runs that have not failed after so many schedules (Kaplan and Meier 1958).
#pragma once

#include <span>
#include <vector>

#include "report/statistics/observation.h"

namespace reex {

struct SurvivalStep {
  double value = 0; // from here on
  double survival = 1;
};

// One step for each distinct value that is not censored, ascending.
std::vector<SurvivalStep> survival_curve(std::span<const Observation> sample);

} // namespace reex
