#include "cli/promote/read_sources.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "cli/terminal/command_error.h"
#include "impact/impact.h"
#include "impact/units.h"

namespace reex {
namespace {

namespace fs = std::filesystem;

std::string text_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

// The files of the project on the stacks; those of the main thread's outermost frames first.
std::vector<std::string> files_of(const Failure& failure, const fs::path& root) {
  std::vector<std::string> files;
  const auto add = [&](const std::vector<Frame>& stack) {
    for (auto frame = stack.rbegin(); frame != stack.rend(); ++frame) {
      const fs::path inside = fs::path(frame->file).lexically_relative(root);
      if (!is_of_user(*frame) || inside.empty() || *inside.begin() == "..") continue;
      if (std::find(files.begin(), files.end(), frame->file) == files.end()) files.push_back(frame->file);
    }
  };
  for (const TraceStep& step : failure.how.trace)
    if (step.thread == 0) add(step.stack);
  for (const TraceStep& step : failure.how.trace) add(step.stack);
  for (const ThreadPosition& position : failure.where) add(position.stack);
  return files;
}

} // namespace

PromotionSources read_sources(const Failure& failure, const ScheduleFile& file, const BinaryInfo& binary,
                              const fs::path& root, const Options& options) {
  PromotionSources sources;
  const std::vector<std::string> files = files_of(failure, root);
  ImpactRequest request;
  request.repository = root.string();
  request.binary = binary.path;
  if (!options.change.compile_commands.empty()) request.compile_commands = options.change.compile_commands;
  std::vector<impact::ParseJob> jobs = impact::choose_units(request, binary, root.string(), sources.notes);
  // The units of the files themselves first: they have what they include, too.
  std::stable_sort(jobs.begin(), jobs.end(), [&](const impact::ParseJob& a, const impact::ParseJob& b) {
    const auto rank = [&](const impact::ParseJob& job) {
      return std::find(files.begin(), files.end(), job.file);
    };
    return rank(a) < rank(b);
  });
  std::vector<std::string> missing = files;
  for (const impact::ParseJob& job : jobs) {
    if (missing.empty()) break;
    std::string problem;
    for (auto& [path, shape] : impact::parse_statements(job, missing, problem)) {
      if (shape.empty()) continue;
      sources.all[path] = {.text = text_of_file(path), .shape = std::move(shape)};
      std::erase(missing, path);
    }
    if (!problem.empty()) sources.notes.push_back(problem);
  }
  for (const std::string& path : missing) sources.notes.push_back("no unit was found that has " + path);

  std::string problem = "no source of the test was found: build it with -g, and keep compile_commands.json";
  for (const std::string& path : files) {
    const auto source = sources.all.find(path);
    if (source == sources.all.end()) continue;
    try {
      sources.range = promotion::find_case(source->second.text, source->second.shape,
                                           file.framework_of_case(), file.test_name);
      sources.test = path;
      return sources;
    } catch (const std::invalid_argument& error) {
      problem = error.what();
    }
  }
  throw UsageError(problem);
}

} // namespace reex
