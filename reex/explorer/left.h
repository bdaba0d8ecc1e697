// The estimate of what is left (reex/search/estimate.h), as a value for reports.
#pragma once

#include <vector>

#include "reex/run/result.h"
#include "reex/search/search.h"
#include "reex/shared/status.h"

namespace reex {

// The lowest bound first. Empty before the first execution has ended, for strategies that sample, and for
// shards. `config` is the parent's own copy. `seconds` is the time used so far; the time that is left is
// computed from the speed so far. Throws DamagedMemory.
std::vector<Left> schedules_left(const SearchConfig& config, const SearchState& search, const Status& status,
                                 double seconds);

} // namespace reex
