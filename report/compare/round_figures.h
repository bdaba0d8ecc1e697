// Counts over all rounds of a search beside those of the round in which the failure was found.
#pragma once

#include <string>
#include <vector>

#include "report/compare/analysis.h"

namespace reex {

// Of the default order and of the median, each over all rounds and in the round; of a row with rounds.
std::vector<std::string> round_cells(const Row& row);

} // namespace reex
