// One unit parsed by libclang into facts.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "impact/facts.h"

namespace reex::impact {

// Contents that stand in for files on disk, by absolute path; the files need not exist.
using Overlays = std::map<std::string, std::string>;

struct ParseJob {
  std::string file;                   // absolute
  std::string directory;              // where the compiler ran
  std::vector<std::string> arguments; // without the compiler and the file; their paths are absolute
};

// May run in several threads at once, with jobs of their own. Never throws for what is in the sources.
UnitFacts parse_unit(const ParseJob& job, const Overlays& overlays);

// All of them, in `threads` threads; the results are in the order of the jobs.
std::vector<UnitFacts> parse_units(const std::vector<ParseJob>& jobs, const Overlays& overlays,
                                   unsigned threads);

// The folder of clang's own headers (stddef.h) that fits the libclang in use; "" if there is none.
std::string clang_resource_folder();

} // namespace reex::impact
