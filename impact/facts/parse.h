// Parses units with libclang and returns their facts. The first parse loads libclang (clang/library.h).
#pragma once

#include <string>
#include <vector>

#include "impact/facts/facts.h"
#include "impact/sources/parse_job.h"

namespace reex::impact {

class FactsCache;

// Several threads may call it at the same time, each with its own job. It never throws because of the
// sources.
UnitFacts parse_unit(const ParseJob& job, const Overlays& overlays);

// Precompiles headers: a text of #include lines, with the options of `job`, whose file need not exist, into
// the file `into`. `read` gets the files that it consists of. False: it does not parse, or cannot be written.
bool precompile(const ParseJob& job, bool is_c, const std::string& text, const std::string& into,
                std::vector<std::string>& read);

// Parses all jobs on `threads` threads; 0: one for each processor. The results have the order of the jobs.
// What is in the cache is not parsed; what is not there is left out if `parses` is false.
std::vector<UnitFacts> parse_units(const std::vector<ParseJob>& jobs, const Overlays& overlays,
                                   unsigned threads, FactsCache& cache, bool parses = true);

// Of the libclang in use: "14.0.6"; "" if there is none.
std::string clang_version();

// The folder with clang's own headers (stddef.h) for the libclang in use; "" if there is none.
std::string clang_resource_folder();

} // namespace reex::impact
