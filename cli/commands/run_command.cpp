#include <exception>

#include "cli/commands/binary_run.h"
#include "cli/run/terminal_setup.h"
#include "cli/terminal/command_error.h"
#include "cli/terminal/interruption.h"

namespace reex {
namespace {

ExitStatus run_binary(const Invocation& invocation, RunOutput& output) {
  const Options& options = invocation.settings.options;
  const TerminalOptions terminal = terminal_options(options, invocation.program);
  const Explored explored = BinaryRun(invocation, terminal, nullptr, ProjectRun(), output).execute();
  if (options.dry_run) return explored.status;
  return finish_run({explored}, options, terminal, explored.status, output);
}

} // namespace

ExitStatus run_command(const Invocation& invocation) {
  const Options& options = invocation.settings.options;
  if (options.until_fail) return until_fail_command(invocation);
  if (options.by_option.contains("time-limit"))
    throw UsageError("--time-limit is the limit of a run of --until-fail: give that, too, or --hang-after");
  if (options.list_tests) {
    if (invocation.line.operands.size() != 1)
      throw UsageError("--list-tests needs one test binary: give its path");
    return print_tests(invocation.line.operands.front(), options.filter);
  }
  if (invocation.line.operands.empty()) return run_project(invocation);
  RunOutput output(options.dry_run ? FormatOptions() : options.format);
  end_when_interrupted(output.last_words("interrupted before anything was explored"));
  try {
    return run_binary(invocation, output);
  } catch (const CommandError& error) {
    if (output.events) output.events->failed(error.what(), static_cast<int>(error.status()));
    throw;
  } catch (const std::exception& error) {
    if (output.events) output.events->failed(error.what(), static_cast<int>(ExitStatus::internal));
    throw;
  }
}

} // namespace reex
