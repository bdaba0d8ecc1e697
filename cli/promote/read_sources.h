// The sources in which events may stand: their texts, and the shapes of their statements.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "cli/options/options.h"
#include "promotion/case_text.h"
#include "promotion/events.h"
#include "reex/schedules/schedule_file.h"
#include "reex/symbols/binary_info.h"

namespace reex {

struct PromotionSources {
  promotion::Sources all;         // of the project, on the stacks of the failure
  std::string test;               // the file that has the case
  promotion::CaseRange range;     // of the case
  std::vector<std::string> notes; // what could not be read
};

// `root`: the project's. Throws CommandError if the case is not found.
PromotionSources read_sources(const Failure& failure, const ScheduleFile& file, const BinaryInfo& binary,
                              const std::filesystem::path& root, const Options& options);

} // namespace reex
