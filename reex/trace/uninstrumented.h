// Finds the loaded modules that are not instrumented, and counts the visible operations that each made.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "reex/run/result.h"
#include "reex/shared/operation_counts.h"
#include "reex/symbols/maps.h"

namespace reex {

// Whether the module is a library of C or C++, or reex's own.
bool is_of_the_language(const std::string& path);

// Sets the last three members of `control`. `counts` are of the first executions of a run that has made
// `schedules`. Libraries at the paths `dormant` are left out: nobody has entered them.
void describe_uninstrumented(Control& control, const std::vector<MappedModule>& modules,
                             const std::vector<OperationCount>& counts, std::uint64_t schedules,
                             const std::set<std::string>& dormant);

// One line that says what to do if the test is instrumented but libraries of the user are not; else "". Those
// whose names are in `told` do not count. The report names the libraries elsewhere.
std::string remedy_for_libraries(const Control& control, const std::string& binary,
                                 const std::vector<std::string>& told);

} // namespace reex
