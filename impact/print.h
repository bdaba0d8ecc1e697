// The code points and their chains as text, for a terminal of 80 columns, and as JSON (format 1).
#pragma once

#include <string>

namespace reex {

struct Impact;

std::string impact_table(const Impact& impact, std::size_t width = 80);
// docs/json.md has the members.
std::string impact_json(const Impact& impact);

} // namespace reex
