// Whether the assertions of a test were compiled out. Such a test fails for no broken assertion, and a run
// that passes says less than its user believes.
//
// Callers: the command line, in the parent process.
//
// Cost: nothing if the binary has assertions; else it reads the main source files of the user's units.
//
// Errors: none. It is a guess from texts: a file that cannot be read has no assertions.
#pragma once

#include <string>
#include <string_view>

#include "reex/symbols/binary_info.h"

namespace reex::impact {

// Whether the text includes <cassert> or <assert.h> by itself, and calls the macro.
bool calls_assert(std::string_view text);

// The first of the binary's own main source files that calls assert(), if the binary contains no assert(); ""
// else. A test of a framework is left out: what it checks with its own macros, it still checks.
std::string compiled_out_assertions(const BinaryInfo& binary);

} // namespace reex::impact
