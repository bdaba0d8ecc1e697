// The test binary as the command line takes it: found, read, and fit to be controlled.
#pragma once

#include <string>

#include "reex/symbols/binary_info.h"

namespace reex {

// Throws CommandError: 2 if it is missing or no program, 5 if it cannot be controlled (static, not x86-64).
BinaryInfo require_binary(const std::string& path);

// This program, as /proc/self/exe gives it.
std::string own_executable();

// libreex_rt.so. Throws CommandError 70 if the build or installation lacks it.
std::string require_runtime_library();

} // namespace reex
