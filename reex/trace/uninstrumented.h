// Finds the loaded modules that are not instrumented, and counts the visible operations that each made.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reex/run/result.h"
#include "reex/shared/control.h"
#include "reex/symbols/maps.h"

namespace reex {

// Sets the last three members of `control`.
void describe_uninstrumented(Control& control, const std::vector<MappedModule>& modules,
                             const ControlBlock& memory);

// One line that says what to do if the test is instrumented but libraries of the user are not; else "".
std::string remedy_for_libraries(const Control& control, const std::string& binary);

} // namespace reex
