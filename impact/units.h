// Which units to parse: the commands of compile_commands.json that the test binary was built from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "impact/impact.h"
#include "impact/includes.h"
#include "reex/symbols/binary_info.h"

namespace reex::impact {

// All units of the binary (of the project without a binary). What is missing is said in `notes`.
std::vector<ParseJob> choose_units(const ImpactRequest& request, const std::optional<BinaryInfo>& binary,
                                   const std::string& root, std::vector<std::string>& notes);

// The units with the files that each reads.
struct UnitFiles {
  ParseJob job;
  std::set<std::string> files;
};
std::vector<UnitFiles> with_files(const std::vector<ParseJob>& jobs, IncludeScanner& scanner,
                                  const std::optional<BinaryInfo>& binary);

} // namespace reex::impact
