// A unified diff of a text and what edits make of it, as `patch` and `git apply` read it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "imunit/rewrite/edits.h"

namespace reex::inference {

// `path` is what stands behind "a/" and "b/". Three lines of context. "" if the edits change nothing.
std::string unified_diff(std::string_view path, std::string_view text, const std::vector<Edit>& edits);

} // namespace reex::inference
