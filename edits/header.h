// The #include of IMUnit's header.
#pragma once

#include <string_view>
#include <vector>

#include "edits/edits.h"

namespace reex {

// Puts it behind the last #include that no #if is around; behind #pragma once if there is none. Nothing, if
// the text has it.
std::vector<Edit> including_header(std::string_view text);

} // namespace reex
