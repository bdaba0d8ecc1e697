// The filter language of --test_filter: patterns with * and ?, separated by ':'; the patterns behind the
// first '-' are negative. An empty positive part means "*".
#pragma once

#include <string_view>

namespace reex {

bool test_filter_matches(std::string_view filter, std::string_view full_name);

} // namespace reex
