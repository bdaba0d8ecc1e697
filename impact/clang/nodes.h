// Finds the declarations outside of functions and classes, and what they mention (facts.h: Node).
//
// Cost: one visit of each node of the user's declarations.
#pragma once

#include <clang-c/Index.h>

#include "impact/clang/user_files.h"
#include "impact/facts/facts.h"

namespace reex::impact {

void collect_nodes(CXCursor unit, UserFiles& files, Program& program);

} // namespace reex::impact
