// The code points as text: a table for a terminal of 80 columns, and JSON (format 1).
#pragma once

#include <string>

namespace reex {

struct Impact;

std::string impact_table(const Impact& impact, std::size_t width = 80);
// {"format":1,"base":..,"head":..|null,"points":[..],"notes":[..],"units":{"parsed":N,"failed":N}}, indented.
std::string impact_json(const Impact& impact);

} // namespace reex
