// The build id of an executable or a library: what its linker has made of the contents.
//
// Errors: nothing throws. Cost: some system calls; only the notes are read.
#pragma once

#include <string>

namespace reex {

// In hexadecimal; "" if the file has none, or cannot be read.
std::string build_id_of(const std::string& path);

} // namespace reex
