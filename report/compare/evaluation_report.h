// An evaluation as Markdown and as one HTML page, which is like that of a comparison.
#pragma once

#include <string>

#include "report/compare/evaluation.h"

namespace reex {

std::string evaluation_markdown(const Evaluation& evaluation);
std::string evaluation_page(const Evaluation& evaluation);

// For the terminal: what the default strategy and the default heuristic bring, a line for each.
std::string evaluation_text(const Evaluation& evaluation);

// Reex, limits, machine, begin: one line for each thing in which the comparisons agree or differ.
std::vector<std::string> evaluation_provenance(const Evaluation& evaluation);

} // namespace reex
