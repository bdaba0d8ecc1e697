// What the page of a comparison and that of an evaluation draw of the runs of one test.
#pragma once

#include <string>

#include "report/compare/analysis.h"

namespace reex {

// The schedules of each strategy; `norm`: each divided by the median of Basic.
enum class Norm : std::uint8_t { none, basic };
std::string boxes_of(const Comparison& comparison, const Findings& findings, const std::string& reduction,
                     Norm norm);
// The part of the runs that have not found the failure so far.
std::string survival_of(const Comparison& comparison, const Findings& findings, const std::string& reduction);
// Schedules against processor time, of each run. `all`: not only of those that the legend names.
std::string scatter_of(const Comparison& comparison, const Findings& findings, bool all);

} // namespace reex
