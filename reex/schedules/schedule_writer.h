// Makes a schedule file from an execution of a run.
#pragma once

#include <optional>
#include <string>

#include "reex/run/options.h"
#include "reex/run/result.h"
#include "reex/schedules/schedule_file.h"

namespace reex {

struct ScheduleEnd {
  std::string failure_kind;
  std::string failure_key;
  std::vector<std::string> places = {};
  std::string message;
  std::optional<int> exit;
  std::string standard_output;
  std::vector<PromotedAccess> promoted;
  bool code_is_entered = false; // libraries without hooks were as if somebody were in them
  bool reuse = false;           // malloc could give freed addresses again, though --reuse did not say so
  std::vector<ThreadPosition> where = {}; // of a failure
};

// The path of the schedule file of a failure: FOLDER/BINARY-KEY.reex. Another binary of the same name, in
// another folder, keeps its file: then there is a number behind the key.
std::string schedule_path(const std::string& folder, const std::string& binary, const std::string& key);

// Creates missing folders. Throws ScheduleFileError, and std::filesystem::filesystem_error if a folder cannot
// be created.
void save_schedule(const std::string& path, const ExploreOptions& options, const TestRun& run,
                   const Schedule& how, const ScheduleEnd& end);

// Sets the members that describe the execution: decisions, steps, preemptions, and the hash of the output.
// Adds the lines of the change that are on the stacks.
void set_schedule(ScheduleFile& file, const Schedule& how, const std::vector<ThreadPosition>& where,
                  const std::string& standard_output);

} // namespace reex
