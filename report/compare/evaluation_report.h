// An evaluation as Markdown and as one HTML page, which is like that of a comparison.
#pragma once

#include <string>

#include "report/compare/evaluation.h"

namespace reex {

std::string evaluation_markdown(const Evaluation& evaluation);
std::string evaluation_page(const Evaluation& evaluation);

// "LOA needs 2.1 times fewer ...": what the evaluation says of the default heuristic, by intervals over the
// subjects.
std::string evaluation_headline(const Evaluation& evaluation);
// Reex, limits, machine, begin: one line for each thing in which the comparisons agree or differ.
std::vector<std::string> evaluation_provenance(const Evaluation& evaluation);

} // namespace reex
