#include "cli/imunit/infer_test.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "cli/imunit/native_logs.h"
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

void require_sleeps(const std::vector<TraceStep>& steps, const std::string& title) {
  if (steps.empty()) throw NothingToInfer(title + " creates no thread: there is nothing to infer from");
  if (std::none_of(steps.begin(), steps.end(),
                   [](const TraceStep& step) { return step.operation == "sleep"; }))
    throw NothingToInfer(fmt::format("{} never sleeps: there is nothing to infer from", title));
}

// The one execution under reex, in virtual time.
inference::Execution exact_execution(const BinaryInfo& binary, const std::vector<std::string>& arguments,
                                     Framework framework, const std::string& name, const std::string& title) {
  if (!binary.instrumented)
    throw CommandError(ExitStatus::uncontrolled,
                       title + " is not built with the flags of `reex flags`, so nobody sees its statements: "
                               "build it so, or give --logs native:5");
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
  require_sleeps(execution.steps, title);
  if (differ(execution, default_execution(binary.path, arguments, name, framework, runtime)))
    throw CommandError(ExitStatus::diverged,
                       title +
                           " is flaky under reex: two executions without a preemption differ, so it reads "
                           "what reex does not control");
  return {execution.steps};
}

} // namespace

InferredTest infer_test(const BinaryInfo& binary, const std::vector<std::string>& arguments,
                        Framework framework, const std::string& name, const Options& options) {
  const std::string title = name.empty() ? binary.path : name;
  const std::vector<inference::Execution> executions =
      options.native_logs == 0
          ? std::vector{exact_execution(binary, arguments, framework, name, title)}
          : native_executions(binary, arguments, framework, name, title,
                              {.count = options.native_logs, .scale = options.sleep_scale});
  const std::vector<TraceStep>& steps = executions.front().steps;
  require_sleeps(steps, title);
  InferredTest test;
  test.name = name;
  test.source = source_of(steps, framework, binary, title);
  std::vector<inference::Recorded> recorded;
  for (const inference::Execution& execution : executions)
    recorded.push_back(inference::record_log(execution, *test.source));
  test.inference = inference::infer(
      recorded, *test.source,
      {.confidence = options.confidence,
       .region = options.region_printed ? inference::Region::printed : inference::Region::open});
  return test;
}

} // namespace reex
