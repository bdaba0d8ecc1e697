// The libraries with which the dynamic loader would start a program. It is asked, and starts nothing.
#pragma once

#include <string>
#include <vector>

#include "reex/symbols/binary_info.h"

namespace reex {

struct LoadedLibraries {
  std::vector<std::string> paths;
  std::vector<std::string> absent; // names of libraries that the loader does not find
  std::string error;               // another reason why the program does not start; "" if none
};

// `libtsan` is the folder in which reex has a library for programs that were linked with libtsan, as in
// RuntimeFiles.
LoadedLibraries loaded_libraries(const BinaryInfo& binary, const std::string& libtsan);

// Reads what a loader prints: one library a line.
LoadedLibraries parse_loaded_libraries(const std::string& text);

} // namespace reex
