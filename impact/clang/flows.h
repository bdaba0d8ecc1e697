// Finds what lines of functions decide and give to others (facts.h: Decision, LocalValue, waits, results).
//
// Cost: one visit of each node of the user's functions.
#pragma once

#include <clang-c/Index.h>

#include "impact/clang/user_files.h"
#include "impact/facts/facts.h"

namespace reex::impact {

// `declaration` is one of the unit's top-level declarations.
void collect_flows(CXCursor declaration, UserFiles& files, Program& program);

} // namespace reex::impact
