// The manual page reex(1), as roff.
#pragma once

#include <string>

namespace reex {

std::string man_page();

} // namespace reex
