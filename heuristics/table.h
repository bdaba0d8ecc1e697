// The table of CAPP's heuristics: Basic, and the 14 combinations of two prioritization modes and seven match
// modes. The parser, `reex list heuristics` and the reports are made from it.
//
// Callers: the parent process. The table is constant.
//
// Source: dissertation, sections 4.2.2 and 4.3.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "heuristics/match_bits.h"
#include "heuristics/partition.h"

namespace reex {

struct Heuristic {
  std::string_view name;        // "LOA"; "Basic" for no prioritization
  std::string_view description; // one line
  PrioritizationMode mode;
  std::uint8_t mask; // the MatchBit that makes a transition impacted; 0 for Basic
};

std::span<const Heuristic> heuristics();

// Ignores case; nullopt for an unknown name.
std::optional<Heuristic> find_heuristic(std::string_view name);

// Several heuristics together are named as "LA+FA": at most k_most_rules, each once, and not Basic. Behind
// them, "+idle" says that those stay which put off nothing in the first execution. The name as the table
// spells it; nullopt for a name that is none.
std::optional<std::string> canonical_heuristics(std::string_view name);
// What a search is ordered by under that name; nullopt likewise.
std::optional<Prioritization> prioritization_of(std::string_view name);

// Not in the table: what is chosen by the change (impact/choose_heuristics.h).
inline constexpr std::string_view k_auto_heuristic = "auto";
// Whether it is that name, with "+idle" or without.
bool is_auto_heuristic(std::string_view name);
// The rest of a name behind the heuristics: "+idle", or "".
std::string_view idle_of(std::string_view name);

// The heuristic for a run with a change that names none: LOA, the best one in Table 4.3 (stateless search,
// geometric mean of the speed-up 5.3).
const Heuristic& default_heuristic();

} // namespace reex
