// A unit as it is parsed: a source with the arguments of its compiler, and the texts that replace files.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace reex::impact {

// Contents that replace files on disk, by absolute path. The files need not exist.
using Overlays = std::map<std::string, std::string>;

struct ParseJob {
  std::string file;                   // absolute
  std::string directory;              // the folder in which the compiler ran
  std::vector<std::string> arguments; // without the compiler and the file; include paths are absolute
};

} // namespace reex::impact
