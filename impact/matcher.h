// Turns impacted sets into the list of code points that the user sees, and into the matcher for the explorer.
//
// Callers: collect_impact(), in the parent process. The functions are pure; several threads may call them.
//
// Cost: one pass over the facts.
//
// Errors: none.
//
// Source: CAPP (dissertation, section 4.2.2 and Figure 4.2, line 46). Where C++ has no class, matcher.cpp
// says what takes its place.
#pragma once

#include <string>
#include <vector>

#include "impact/analysis.h"
#include "impact/impact.h"

namespace reex::impact {

std::vector<CodePoint> code_points(const ImpactedSets& sets, const Program& now, const std::string& root);
CodePoints matcher(const ImpactedSets& sets, const Program& now);

// The file's path relative to the root, or the whole path if it is outside.
std::string relative_to(const std::string& root, const std::string& file);

} // namespace reex::impact
