#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "cli/run/terminal_setup.h"
#include "cli/subject/binary.h"
#include "cli/terminal/command_error.h"
#include "cli/terminal/output.h"
#include "reex/process/environment.h"
#include "reex/replay/minimize.h"
#include "report/failure_text.h"
#include "report/replay_report.h"
#include "report/text/text_layout.h"

namespace reex {
namespace {

constexpr std::uint64_t k_search = 10000;
constexpr std::chrono::seconds k_time{60};

std::string size_text(unsigned switches, unsigned preemptions) {
  return fmt::format("{}, {}", counted(switches, "switch", "switches"), counted(preemptions, "preemption"));
}

} // namespace

ExitStatus minimize_command(const Invocation& invocation) {
  const auto& operands = invocation.line.operands;
  if (operands.size() != 1)
    throw UsageError("minimize needs one schedule file: give one from .reex/failures");
  const std::string path = operands.front();
  ScheduleFile file;
  try {
    file = read_schedule_file(path);
  } catch (const ScheduleFileError& error) {
    throw UsageError(error.what());
  }
  if (file.failure_kind.empty())
    throw UsageError(
        fmt::format("{} is no failure: there is nothing to keep while switches are left out", path));
  const BinaryInfo binary = require_binary(file.binary);
  unset_git_local_variables();
  MinimizeResult result = minimize(file, {.runtime = require_runtime(binary),
                                          .frame_bits = {},
                                          .executions = 0,
                                          .time = k_time,
                                          .search = k_search});
  if (result.error) {
    say(fmt::format("{}: {}", path, result.error.text));
    return status_of(result.error.kind);
  }
  const std::string written = path + ".min";
  if (file.build_id == binary.build_id) mark_changed(result.failure, file);
  result.file.build_id = binary.build_id;
  try {
    write_schedule_file(written, result.file);
  } catch (const ScheduleFileError& error) {
    throw UsageError(error.what());
  }
  const Reduced& reduced = result.reduced;
  result.failure.replay = written;
  result.failure.reduced = reduced;
  DiskSourceLines sources;
  const TerminalOptions terminal = terminal_options(invocation.settings.options, invocation.program);
  print(fmt::format("MINIMIZED {}: from {} to {}, in {}\n{}", test_title(file.binary, file.test_name),
                    size_text(reduced.switches_before, reduced.preemptions_before),
                    size_text(reduced.switches, result.failure.how.preemptions),
                    counted(reduced.executions, "execution"),
                    execution_text(result.failure, nullptr, sources, terminal)));
  print(closing_text(result.failure, terminal));
  return ExitStatus::passed;
}

} // namespace reex
