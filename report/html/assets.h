// The page's style and script: style.css and script.js of this folder, embedded by the build.
#pragma once

#include <string_view>

namespace reex {

std::string_view page_style();
std::string_view page_script();

} // namespace reex
