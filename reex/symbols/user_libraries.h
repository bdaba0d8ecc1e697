// The user's own shared libraries with which a program starts: they hold code of the test as the program
// does.
//
// Invariants: a library is named once, by its canonical path. Not named are those of the system, those of
// reex, and those that only the test itself loads (dlopen).
//
// Errors: none. What cannot be found or read is left out.
#pragma once

#include <string>
#include <vector>

namespace reex {

// Those that `program` needs, and those that they need in turn. They are searched for as ld.so does:
// DT_RPATH, LD_LIBRARY_PATH, DT_RUNPATH; not in the folders that ld.so knows by itself, which hold what is
// installed.
std::vector<std::string> user_libraries(const std::string& program);

} // namespace reex
