// The heuristics of CAPP: Basic and the 14 combinations of two prioritization modes and seven match modes
// (dissertation, sections 4.2.2 and 4.3). One table makes the parser, `reex list heuristics` and the reports.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "heuristics/match_bits.h"

namespace reex {

struct Heuristic {
  std::string_view name;        // "LOA"; "Basic" for no prioritization
  std::string_view description; // one line
  PrioritizationMode mode;
  std::uint8_t mask; // the MatchBit that makes a transition impacted; 0 for Basic
};

std::span<const Heuristic> heuristics();

// Case-insensitive; nullopt for an unknown name.
std::optional<Heuristic> find_heuristic(std::string_view name);

// The heuristic used with a change when none is named: LOA, the best of Table 4.3 (stateless search,
// geometric mean speed-up 5.3).
const Heuristic& default_heuristic();

} // namespace reex
