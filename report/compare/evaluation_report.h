// An evaluation as Markdown and as one HTML page, which is like that of a comparison.
#pragma once

#include <string>

#include "report/compare/evaluation.h"

namespace reex {

std::string evaluation_markdown(const Evaluation& evaluation);
std::string evaluation_page(const Evaluation& evaluation);

// "Basic needs 2.1 times its schedules ...": what the evaluation says of the default strategy and heuristic,
// on the regressions and on the subjects, by intervals over them. A line for each.
std::vector<std::string> evaluation_verdicts(const Evaluation& evaluation);
// How the verdicts' figures are made.
inline constexpr const char* k_evaluation_verdicts_are =
    "With the reduction. Geometric means over randomized orders and subjects; in brackets 95 % intervals "
    "over "
    "the subjects.";
// Reex, limits, machine, begin: one line for each thing in which the comparisons agree or differ.
std::vector<std::string> evaluation_provenance(const Evaluation& evaluation);

} // namespace reex
