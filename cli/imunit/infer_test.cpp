#include "cli/imunit/infer_test.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "cli/subject/binary.h"
#include "cli/terminal/command_error.h"
#include "imunit/record.h"
#include "reex/replay/default_execution.h"

namespace reex {
namespace {

namespace fs = std::filesystem;

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  if (!file) throw UsageError(fmt::format("{} cannot be read: the statements of the test are in it", path));
  return text.str();
}

std::unique_ptr<inference::Source> source_of(const std::vector<TraceStep>& steps, Framework framework,
                                             const BinaryInfo& binary, const std::string& title) {
  const std::string path = inference::test_file(steps, framework != Framework::none);
  if (path.empty())
    throw CommandError(ExitStatus::uncontrolled,
                       fmt::format("{}: no line of its source is known: build it with -g", title));
  std::error_code ignored;
  if (fs::last_write_time(path, ignored) > fs::last_write_time(binary.path, ignored))
    throw CommandError(ExitStatus::uncontrolled,
                       fmt::format("{} is newer than {}: build the test again", path, binary.path));
  auto source = std::make_unique<inference::Source>(path, read(path));
  if (!source->problem().empty())
    throw UsageError(fmt::format("{}: {}: such a file cannot be migrated", path, source->problem()));
  return source;
}

bool differ(const DefaultExecution& a, const DefaultExecution& b) {
  return a.failure != b.failure ||
         !std::equal(a.steps.begin(), a.steps.end(), b.steps.begin(), b.steps.end(),
                     [](const TraceStep& one, const TraceStep& other) {
                       return one.thread == other.thread && one.operation == other.operation;
                     });
}

} // namespace

InferredTest infer_test(const BinaryInfo& binary, const std::vector<std::string>& arguments,
                        Framework framework, const std::string& name, const Options& options) {
  const std::string title = name.empty() ? binary.path : name;
  const RuntimeFiles runtime = require_runtime(binary);
  const DefaultExecution execution = default_execution(binary.path, arguments, name, framework, runtime);
  if (execution.error.kind == ErrorKind::no_threads)
    throw NothingToInfer(title + ": " + execution.error.text);
  if (execution.error)
    throw CommandError(status_of(execution.error.kind), title + ": " + execution.error.text);
  if (!execution.failure.empty())
    throw CommandError(ExitStatus::failed,
                       fmt::format("{} fails ({}): a schedule is inferred from a test that passes", title,
                                   execution.failure));
  const bool sleeps = std::any_of(execution.steps.begin(), execution.steps.end(),
                                  [](const TraceStep& step) { return step.operation == "sleep"; });
  if (!sleeps) throw NothingToInfer(fmt::format("{} never sleeps: there is nothing to infer from", title));
  if (differ(execution, default_execution(binary.path, arguments, name, framework, runtime)))
    throw CommandError(ExitStatus::diverged,
                       title +
                           " is flaky under reex: two executions without a preemption differ, so it reads "
                           "what reex does not control");
  InferredTest test;
  test.name = name;
  test.source = source_of(execution.steps, framework, binary, title);
  test.inference = inference::infer(
      inference::record_log(execution.steps, *test.source), *test.source,
      {.confidence = options.confidence,
       .region = options.region_printed ? inference::Region::printed : inference::Region::open});
  return test;
}

} // namespace reex
