// Heuristic `auto`: which of CAPP's heuristics order a search together, by what the change is like. They
// decide what comes first, and leave nothing out.
//
// Callers: the command line, in the parent process, when the change is analysed.
#pragma once

#include <string>

#include "impact/impact.h"

namespace reex {

struct HeuristicChoice {
  std::string names; // as in heuristics/table.h: "LOA+FS"
  std::string why;   // a few words: "a wait or a notification changed"
};

HeuristicChoice choose_heuristics(const Impact& impact);

} // namespace reex
