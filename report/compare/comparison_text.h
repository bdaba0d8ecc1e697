// A comparison as a table for the terminal.
#pragma once

#include <string>

#include "report/compare/analysis.h"
#include "report/style.h"

namespace reex {

// At most 80 columns wide.
std::string comparison_text(const Comparison& comparison, const Style& style);

} // namespace reex
