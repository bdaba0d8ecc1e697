// A place in the source that a machine address stands for.
#pragma once

#include <string>

namespace reex {

// One source-level frame; an inlined call has frames of its own.
struct Frame {
  std::string function; // qualified, demangled, with parameters; "" if unknown
  std::string file;     // absolute path; "" if the module has no line information
  unsigned line = 0;
  unsigned column = 0;
  std::string module;         // path of the executable or library
  bool system_header = false; // the file is not the user's: compiler, libc, libstdc++, GoogleTest, reex
  bool changed = false;       // the line is an impacted line of the change under test
};

} // namespace reex
