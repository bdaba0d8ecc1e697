// Who takes part in a comparison, and which runs are made, in which order.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/compare/comparison.h"

namespace reex {

// Heuristic auto as a contestant: "auto" alone is the strategy.
inline constexpr std::string_view k_auto_contestant = "heuristic:auto";
// The value of --heuristic for a contestant that is one, or several together; and the other way round.
std::string heuristic_of(const std::string& contestant);
std::string contestant_of(const std::string& heuristic);

// Those with these names, or with no names all: Basic, the heuristics, heuristic:auto, random, pos, pct,
// surw, auto. Always in this order, with heuristics that take part together before heuristic:auto; Basic and
// random are controls and always take part.
std::vector<Contestant> contestants_named(const std::vector<std::string>& names);
// As an option gives them: "LOA,LA+FA,pos"; "all" for all those above. Throws UsageError for a name that is
// none.
std::vector<std::string> parse_contestant_names(const std::string& name, const std::string& text);

struct ComparisonPlan {
  std::vector<RunId> runs;
  std::size_t first_round = 0; // so many runs at the front are one of each contestant
};

// First every contestant once under the default reduction; then the default order without reduction; then
// seed after seed; at last, for each, one run that shows what schedules cost. What samples has no default
// order and no reduction: it has seeds alone, five at least.
ComparisonPlan plan_comparison(const std::vector<Contestant>& contestants, unsigned seeds);

// Whether it is of the first round: what a comparison shows of the failure is that of one of these.
bool may_be_shown(const RunId& run);

} // namespace reex
