// A chain in words.
#pragma once

#include <string>
#include <vector>

#include "impact/sources/chain.h"

namespace reex {

// One text for each step: "accessed on line 7", "in the lock region of m from line 5", "line 6 changed". A
// place of `file` is given by its line, another one as FILE:LINE. `line` is the point's own; 0 if it has
// none.
std::vector<std::string> chain_texts(const Chain& chain, const std::string& file, unsigned line);

} // namespace reex
