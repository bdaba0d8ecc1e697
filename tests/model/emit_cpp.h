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

// Where the program's atomic variables are.
enum class Storage : unsigned char {
  atomics,
  environment, // in the environment of the process, if the program only loads and stores them
  plain_code,  // in an object whose functions are compiled without hooks (unseen.h)
  assembly,    // in one whose functions are inline assembly (assembled.h)
  exempted     // in one whose functions are exempted from hooks (exempted.h)
};
bool can_be_in_environment(const Program& program, int atomic);

// One source file with a main function that runs the program named by its first argument.
std::string emit_cpp(const std::vector<NamedProgram>& programs, Storage storage = Storage::atomics);

} // namespace reex::model
