// What reex sees of a test binary, and what of it stays hidden.
#pragma once

#include "cli/subject/check.h"
#include "reex/symbols/binary_info.h"

namespace reex {

// The binary is one of require_binary(). A binary of a test framework is asked for its tests; none is
// executed.
Checks check_test(const BinaryInfo& binary);

} // namespace reex
