// Writes a program of the language as plain C++, so that there is no interpreter between the explorer and the
// operations.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/model/program.h"

namespace reex::model {

struct NamedProgram {
  std::string name; // the first argument, which selects the program
  Program program;
};

// One source file with a main function that runs the program named by its first argument.
std::string emit_cpp(const std::vector<NamedProgram>& programs);

} // namespace reex::model
