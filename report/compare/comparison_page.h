// A comparison as one HTML page: nothing is loaded from elsewhere, and it needs no script.
#pragma once

#include <string>

#include "report/compare/comparison.h"

namespace reex {

// The runs are in it as JSON too, in the element with the id "comparison".
// `id` begins all ids.
std::string shown_run_html(const ShownRun& shown, const std::string& id);

std::string comparison_page(const Comparison& comparison);

} // namespace reex
