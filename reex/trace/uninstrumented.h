// Which of the loaded modules are not instrumented, and how many visible operations came from each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reex/run/result.h"
#include "reex/shared/control.h"
#include "reex/symbols/maps.h"

namespace reex {

// Fills the last three members.
void describe_uninstrumented(Control& control, const std::vector<MappedModule>& modules,
                             const ControlBlock& memory);

// What to do where the test is instrumented and libraries of the user's are not: one line, or "".
std::string remedy_for_libraries(const Control& control, const std::string& binary);

} // namespace reex
