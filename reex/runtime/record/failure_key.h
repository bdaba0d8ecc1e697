// Tells failures of one run apart. On the fiber that failed.
#pragma once

#include <cstdint>

#include "reex/shared/control.h"

namespace reex {

// Where it failed, by addresses. 0 for an ending that is no failure.
std::uint64_t failure_key(const Ending& ending);

} // namespace reex
