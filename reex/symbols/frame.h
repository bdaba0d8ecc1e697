// The place in the source of a machine address.
#pragma once

#include <string>

namespace reex {

// One frame of the source. An inlined call has its own frame.
struct Frame {
  std::string function; // qualified, demangled, with parameters; "" if unknown
  std::string file;     // absolute path; "" if the module has no line information
  unsigned line = 0;
  unsigned column = 0;
  std::string module;         // path of the executable or library
  bool system_header = false; // the file belongs to the compiler, libc, libstdc++, a test framework or reex
  bool changed = false;       // the line is an impacted line of the change under test
  bool helper = false; // a function that takes a lock for its caller, or gives it back (trace/lock_scope.h)
};

// The frame is of the code under test, not of a library's.
inline bool is_of_user(const Frame& frame) { return !frame.system_header && !frame.file.empty(); }

} // namespace reex
