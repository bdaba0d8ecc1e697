#include "reex/schedules/schedule_writer.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "reex/run/sha256.h"
#include "reex/run/version.h"
#include "reex/symbols/binary_info.h"

namespace reex {
namespace {

std::string location_of(const TraceStep& step) {
  const Frame* frame = user_frame(step.stack);
  return frame == nullptr ? "" : line_of(*frame);
}

// Without a limit of the user's, a replay may be much longer than the execution was, and no longer than that:
// the build that it runs may do something else.
std::uint64_t limit_of_replays(const ExploreOptions& options, const Schedule& how) {
  if (how.limit != 0) return std::max(10 * how.limit, options.max_steps);
  if (options.first_max_steps == 0) return options.max_steps;
  return std::max<std::uint64_t>({options.max_steps, options.first_max_steps, 10 * how.length});
}

} // namespace

void set_schedule(ScheduleFile& file, const Schedule& how, const std::vector<ThreadPosition>& where,
                  const std::string& standard_output) {
  file.stdout_sha256 = sha256_hex(standard_output);
  file.preemptions = how.preemptions;
  file.decisions = how.decisions;
  file.steps.clear();
  for (const TraceStep& step : how.trace)
    file.steps.push_back({.thread = step.thread,
                          .operation = step.operation,
                          .object = step.object,
                          .location = location_of(step)});
  // A minimization does not know the change. What the file has of it stays.
  std::set<std::string> changed(file.changed.begin(), file.changed.end());
  const auto add = [&](const std::vector<Frame>& stack) {
    for (const Frame& frame : stack)
      if (frame.changed) changed.insert(line_of(frame));
  };
  for (const TraceStep& step : how.trace) add(step.stack);
  for (const ThreadPosition& position : where) add(position.stack);
  file.changed.assign(changed.begin(), changed.end());
}

std::string schedule_path(const std::string& folder, const std::string& binary, const std::string& key) {
  const std::string name = std::filesystem::path(binary).filename().string() + "-" + key;
  for (unsigned number = 1;; ++number) {
    const std::string end = number == 1 ? ".reex" : "-" + std::to_string(number) + ".reex";
    const std::string path = (std::filesystem::path(folder) / (name + end)).string();
    if (!std::filesystem::exists(path)) return path;
    if (const std::string other = binary_of_schedule_file(path); other.empty() || other == binary)
      return path; // a damaged one is replaced
  }
}

void save_schedule(const std::string& path, const ExploreOptions& options, const TestRun& run,
                   const Schedule& how, const ScheduleEnd& end) {
  ScheduleFile file;
  file.reex_version = version();
  file.binary = run.binary;
  file.build_id = read_binary_info(run.binary).build_id;
  file.working_directory = std::filesystem::current_path().string();
  file.arguments = run.arguments;
  file.test_name = run.name;
  file.framework = options.framework;
  file.accesses = options.accesses;
  file.promoted = end.promoted;
  file.timeouts = options.timeouts;
  file.sleeps_any = options.sleeps_any;
  file.spurious = options.spurious;
  file.reuse = options.reuse || end.reuse;
  file.code_is_entered = end.code_is_entered;
  file.slice = options.slice;
  file.patience = how.patience;
  file.max_steps = limit_of_replays(options, how);
  file.failure_kind = end.failure_kind;
  file.failure_key = end.failure_key;
  file.places = end.places;
  file.message = end.message;
  file.exit = end.exit;
  set_schedule(file, how, end.where, end.standard_output);
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  write_schedule_file(path, file);
}

} // namespace reex
