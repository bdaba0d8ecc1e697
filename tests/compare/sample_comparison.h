// A comparison that was made up, with all that may occur: runs that found it, ended without, and say nothing.
#pragma once

#include "report/compare/comparison.h"

namespace reex {

Comparison sample_comparison();

// A run of it that found a failure at this schedule.
RunRecord found_at(const RunId& id, std::uint64_t schedule);
// One that ended at its limit, or for another reason.
RunRecord not_found(const RunId& id, std::uint64_t schedules, const std::string& ended = "schedule_limit");

} // namespace reex
