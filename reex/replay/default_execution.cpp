#include "reex/replay/default_execution.h"

#include <filesystem>

#include "reex/frameworks/table.h"
#include "reex/process/native_run.h"
#include "reex/replay/trials.h"
#include "reex/shared/limits.h"

namespace reex {
namespace {

constexpr std::uint64_t k_max_steps = 1000000; // and no more than a trace holds
constexpr std::uint32_t k_slice = 500;         // visible operations, as in an exploration

} // namespace

DefaultExecution default_execution(const std::string& binary, const std::vector<std::string>& arguments,
                                   const std::string& test_name, Framework framework,
                                   const RuntimeFiles& runtime) {
  ScheduleFile file; // without decisions
  file.binary = std::filesystem::absolute(binary).string();
  file.arguments = arguments_of_case(framework, test_name, arguments);
  file.test_name = test_name;
  file.framework = framework;
  file.max_steps = k_max_steps;
  file.slice = k_slice;
  const TrialSetup setup{.file = file, .runtime = runtime, .frame_bits = {}};
  DefaultExecution result;
  const std::string error = run_trials(setup, {}, [&](const Trial& trial) -> std::optional<Turns> {
    const Failure execution = trial.failure();
    result.steps = trial.steps(k_max_stack);
    result.failure = execution.kind;
    result.message = execution.message;
    if (!trial.ended() || (execution.kind.empty() && !trial.exit()))
      result.error = {ErrorKind::uncontrolled, "the default execution did not come to an end"};
    return {};
  });
  if (!error.empty())
    result.error = start_error(
        {.binary = file.binary, .arguments = file.arguments, .runtime = {}, .working_directory = ""}, error,
        error == k_created_no_thread ? ErrorKind::no_threads : ErrorKind::uncontrolled);
  return result;
}

} // namespace reex
