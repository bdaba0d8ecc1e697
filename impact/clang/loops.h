// Loops: which statements are some, and which of them only a jump leaves.
#pragma once

#include <clang-c/Index.h>

#include "impact/clang/user_files.h"

namespace reex::impact {

bool is_loop(CXCursorKind kind);
bool is_endless(CXCursor loop, UserFiles& files); // as it is spelled

} // namespace reex::impact
