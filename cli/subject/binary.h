// Finds and reads the test binary, and checks that reex can control it.
#pragma once

#include <string>

#include "reex/run/options.h"
#include "reex/symbols/binary_info.h"

namespace reex {

// A name without a slash that is not a file in the current folder is searched for in PATH. Throws
// CommandError with status 2 if there is no such program, and with 5 if it cannot be controlled (static, not
// x86-64, a script, ...).
BinaryInfo require_binary(const std::string& name);

// Whether require_binary() would find a file of that name.
bool is_there(const std::string& name);

// The path of this program, from /proc/self/exe.
std::string own_executable();

// The files that a test needs at its start. Throws CommandError with status 70 if the build or installation
// does not have them.
RuntimeFiles require_runtime(const BinaryInfo& binary);

} // namespace reex
