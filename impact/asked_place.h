// What a change has an impact on at one place, for those who ask why.
//
// Cost: one pass over the impacted sets, and over the facts of the file.
//
// Errors: none. A file that was not parsed has nothing but its lines.
#pragma once

#include <string>

#include "impact/analysis.h"
#include "impact/impact.h"

namespace reex::impact {

// `file` is absolute.
AskedPlace asked_place(const ImpactedSets& sets, const Program& now, const std::string& root,
                       const std::string& file, unsigned line);

} // namespace reex::impact
