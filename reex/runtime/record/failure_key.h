// Keys that distinguish the failures of one run. To be called on the fiber that failed.
#pragma once

#include <cstdint>

#include "reex/shared/ending.h"

namespace reex {

// The place of the failure, by addresses. 0 if the ending is not a failure.
std::uint64_t failure_key(const Ending& ending);

} // namespace reex
