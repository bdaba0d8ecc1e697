#include "cli/commands/commands.h"
#include "cli/run/terminal_setup.h"
#include "cli/subject/binary.h"
#include "cli/terminal/command_error.h"
#include "cli/terminal/output.h"
#include "reex/process/environment.h"
#include "reex/replay/base_proof.h"
#include "reex/replay/debug.h"
#include "reex/replay/replay.h"
#include "reex/schedules/schedule_file.h"
#include "report/failure_text.h"
#include "report/replay_report.h"

namespace reex {

ExitStatus replay_command(const Invocation& invocation) {
  const auto& operands = invocation.line.operands;
  if (operands.size() != 1) throw UsageError("replay needs one schedule file: give one from .reex/failures");
  ScheduleFile file;
  try {
    file = read_schedule_file(operands.front());
  } catch (const ScheduleFileError& error) {
    throw UsageError(error.what());
  }
  const BinaryInfo binary = require_binary(file.binary);
  unset_git_local_variables();
  const ReplayResult result = replay(file, require_runtime(binary));

  DiskSourceLines sources;
  const TerminalOptions terminal = terminal_options(invocation.settings.options, invocation.program);
  print(replay_text(file, result, sources, terminal));
  if (invocation.settings.options.gdb && result.verdict == ReplayResult::Verdict::failed) {
    file.decisions = result.how.decisions;
    file.promoted = result.promoted;
    file.accesses = result.accesses;
    const std::string error = debug(file, require_runtime(binary), invocation.line.test_arguments);
    if (!error.empty()) throw UsageError(error + ": install gdb");
    return ExitStatus::failed;
  }
  const std::string& base = invocation.settings.options.base_binary;
  if (!base.empty() && result.verdict == ReplayResult::Verdict::failed) {
    const BaseProof proof = prove_on_base(file, base, require_runtime(require_binary(base)));
    print(base_text(proof, terminal));
    if (proof.verdict == BaseProof::Verdict::fails) return ExitStatus::not_started;
  }
  switch (result.verdict) {
  case ReplayResult::Verdict::passed:
    return ExitStatus::passed;
  case ReplayResult::Verdict::failed:
    return ExitStatus::failed;
  case ReplayResult::Verdict::diverged:
    return ExitStatus::diverged;
  case ReplayResult::Verdict::not_started:
    return ExitStatus::not_started;
  case ReplayResult::Verdict::uncontrolled:
    return ExitStatus::uncontrolled;
  }
  return ExitStatus::internal;
}

} // namespace reex
