// The functions of a lock of the user that a guard of the library calls: `std::lock_guard<SpinLock>` calls
// `SpinLock::lock` where it is declared. The call itself is in the library's header, and so no fact of a file
// of the user.
#pragma once

#include <vector>

#include <clang-c/Index.h>

#include "impact/clang/user_files.h"
#include "impact/facts/facts.h"

namespace reex::impact {

// Of a variable's type. A template that does not know its lock yet calls any function of these names.
std::vector<GuardedCall> guarded_calls(CXType guard, unsigned line, UserFiles& files);

} // namespace reex::impact
