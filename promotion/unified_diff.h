// The difference of two texts as people and patch(1) read it.
#pragma once

#include <string>
#include <string_view>

namespace reex::promotion {

// "" if they are equal. `path` is what both sides are called; an empty `before` is a new file. Cost:
// quadratic in the lines between the first and the last difference.
std::string unified_diff(const std::string& path, std::string_view before, std::string_view after);

} // namespace reex::promotion
