// Whether a change of a build system's files gives the compiler other options. What a macro or an option of
// the command line has an impact on is not found: it may be any line.
//
// Callers: the command line, in the parent process.
//
// Errors: none. It is a guess from the changed lines' words.
#pragma once

#include <string>
#include <vector>

#include "git/change.h"

namespace reex::impact {

// The first such file, as the change names it; "" if there is none.
std::string file_of_compiler_options(const std::vector<FileChange>& changes);

} // namespace reex::impact
