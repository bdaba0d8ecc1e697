// Finds the declarations whose users a change of them concerns, and these users (facts.h: Shape, Use).
//
// Cost: one visit of each node of the user's declarations.
#pragma once

#include <clang-c/Index.h>

#include "impact/clang/user_files.h"
#include "impact/facts/facts.h"

namespace reex::impact {

// `declaration` is one of the unit's top-level declarations.
void collect_shapes(CXCursor declaration, UserFiles& files, Program& program);

} // namespace reex::impact
