// The test binary as the command line takes it: found, read, and fit to be controlled.
#pragma once

#include <string>

#include "reex/run/options.h"
#include "reex/symbols/binary_info.h"

namespace reex {

// A name without a slash that is no file here is looked for in PATH. Throws CommandError: 2 if it is missing
// or no program, 5 if it cannot be controlled (static, not x86-64, a script, ...).
BinaryInfo require_binary(const std::string& name);

// This program, as /proc/self/exe gives it.
std::string own_executable();

// What the test is started with. Throws CommandError 70 if the build or installation lacks it.
RuntimeFiles require_runtime(const BinaryInfo& binary);

} // namespace reex
