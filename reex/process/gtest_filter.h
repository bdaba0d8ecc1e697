// GoogleTest's filter language, as its --gtest_filter reads it: patterns with * and ? joined by ':', negative
// ones after the first '-'. An empty positive part means "*".
#pragma once

#include <string_view>

namespace reex {

bool gtest_filter_matches(std::string_view filter, std::string_view full_name);

} // namespace reex
