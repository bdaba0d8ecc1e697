// A program of the language as straight C++: no interpreter between the explorer and the operations.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/model/program.h"

namespace reex::model {

struct NamedProgram {
  std::string name; // the first argument that selects it
  Program program;
};

// One source file with a main that runs the program named by its first argument.
std::string emit_cpp(const std::vector<NamedProgram>& programs);

} // namespace reex::model
