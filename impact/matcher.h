// From impacted sets to what the user sees (code points) and what the explorer asks (CodePoints).
#pragma once

#include <string>
#include <vector>

#include "impact/analysis.h"
#include "impact/impact.h"

namespace reex::impact {

std::vector<CodePoint> code_points(const ImpactedSets& sets, const Program& now, const std::string& root);
CodePoints matcher(const ImpactedSets& sets, const Program& now);

// The file's name from the root, or the whole name if it lies outside.
std::string relative_to(const std::string& root, const std::string& file);

} // namespace reex::impact
