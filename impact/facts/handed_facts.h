// The facts that one process hands to another.
#pragma once

#include <map>
#include <string>

namespace reex {

// The facts of parsed units, as bytes (facts_text.h), by unit and contents (facts_cache.h).
using HandedFacts = std::map<std::string, std::string>;

} // namespace reex
