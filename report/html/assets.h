// The style and the script of pages: style.css and script.js of this folder, and what pages of comparisons
// have beyond it (report/compare/comparison.css), embedded by the build.
#pragma once

#include <string_view>

namespace reex {

std::string_view page_style();
std::string_view page_script();
std::string_view comparison_style();

} // namespace reex
