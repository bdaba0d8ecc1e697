// What came of a schedule of IMUnit, in a line or two.
#pragma once

#include <string>

#include "reex/run/result.h"

namespace reex {

// The lines are separated by line ends.
std::string imunit_text(const ImunitResult& result, const TestRun& run);

} // namespace reex
