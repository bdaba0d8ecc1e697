// Figures of a comparison as short texts. A value that is only bounded is marked: "≥3.1".
#pragma once

#include <optional>
#include <string>

#include "report/statistics/bootstrap.h"
#include "report/statistics/observation.h"
#include "report/statistics/summary.h"

namespace reex {

// "487", "12.5", "≥10,000"; "–" for none.
std::string schedules_text(const std::optional<Estimate>& estimate);
// "487"; ">10,000" for a run that did not find it.
std::string schedules_text(const Observation& one);
// "3.1", "0.25", "≥12", "?"; "–" for none.
std::string factor_text(const std::optional<Estimate>& factor);
std::string factor_text(double factor);
// "2.0 to 5.2"; "no interval".
std::string interval_text(const std::optional<Interval>& interval);
// "0.0043", "<0.0001".
std::string p_text(double p);

} // namespace reex
