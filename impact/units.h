// Chooses the units to parse: the commands of compile_commands.json with which the test binary was built.
//
// Callers: collect_impact(), in the parent process.
//
// Cost: reads compile_commands.json. with_files() also reads every file of the units that is the user's,
// once.
//
// Errors: none. If there is no usable compile_commands.json, the units come from the binary's DWARF, or there
// are none; a note says so.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "impact/impact.h"
#include "impact/sources/includes.h"
#include "reex/symbols/binary_info.h"

namespace reex::impact {

// All units of the binary; without a binary, all units of the project. `notes` says what is missing.
std::vector<ParseJob> choose_units(const ImpactRequest& request, const std::optional<BinaryInfo>& binary,
                                   const std::string& root, std::vector<std::string>& notes);

// A unit, and the user's files that it reads.
struct UnitFiles {
  ParseJob job;
  std::set<std::string> files;
};
std::vector<UnitFiles> with_files(const std::vector<ParseJob>& jobs, IncludeScanner& scanner,
                                  const std::optional<BinaryInfo>& binary);

} // namespace reex::impact
