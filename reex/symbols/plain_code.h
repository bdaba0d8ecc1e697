// Code inside an instrumented module that was compiled without the hooks of -fsanitize=thread: an object
// file, or a member of a static library. Judged by compile unit, because a function without accesses and
// calls has no hooks in any case. Where there is no debug information, judged by function. Cost: a walk over
// the module's code and the heads of its compile units; milliseconds for a test of a few megabytes.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace reex {

// The source files, or where they are not known the functions: without those of the compiler, the languages'
// libraries and GoogleTest. At most a few: `at_most`. Nothing if the code cannot be read.
std::optional<std::vector<std::string>> code_without_hooks(const std::string& path, std::size_t at_most);

} // namespace reex
