// A C++ file, compiled with both compilers at both levels of optimization, and its operations: the calls of
// the runtime and the standard library. Each has the user's frame, found as at run time.
#pragma once

#include <string>
#include <vector>

#include "reex/symbols/frame.h"

namespace reex::test {

struct Operation {
  enum class Kind { synchronization, read, write };
  Kind kind;
  Frame frame; // the innermost user frame
};

struct Build {
  std::string name; // "g++ -O0"
  std::vector<Operation> operations;
};

// Compiles `source` (a path) four times into `folder`. Throws std::runtime_error if a compiler fails.
std::vector<Build> build_four_times(const std::string& source, const std::string& folder);

// The output of a shell command; throws if it fails.
std::string output_of(const std::string& command);

} // namespace reex::test
