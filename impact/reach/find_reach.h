// Finds which test cases can reach nothing that a change has an impact on.
//
// The answer errs to one side: a case that is out of reach executes no impacted code point in any schedule;
// of the others nothing is known. graph.h has the rules. What they rest on is checked here: every unit of the
// binary was parsed, on both sides, and every changed line of code belongs to a declaration.
//
// Callers: collect_impact(). The function is pure.
//
// Cost: the words of all declarations that are reached, and for each case a pass over what it reaches.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "impact/code_points.h"
#include "impact/facts/facts.h"
#include "impact/reach/reach.h"
#include "impact/sources/changed_lines.h"

namespace reex::impact {

// `code` gives the lines of a file of the new side (code_of_lines); they stay valid during the call.
Reach find_reach(const std::vector<FileLines>& changes, const Program& now, const Program& before,
                 const CodePoints& points, const std::string& root,
                 const std::function<const std::vector<std::string>&(const std::string& file)>& code);

} // namespace reex::impact
