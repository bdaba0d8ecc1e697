#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "cli/run/terminal_setup.h"
#include "cli/subject/machine.h"
#include "cli/terminal/command_error.h"
#include "cli/terminal/output.h"
#include "reex/run/version.h"

namespace reex {

ExitStatus doctor_command(const Invocation& invocation) {
  if (!invocation.line.operands.empty()) throw UsageError("doctor takes no operand: leave it out");
  const Style style = terminal_options(invocation.settings.options, invocation.program).style;
  std::string text = fmt::format("reex {}\n\n{}\n", version(), style(Tone::strong, "Settings"));
  for (const Setting& setting : invocation.settings.origins) {
    text += fmt::format("  {:<18}{:<14}{}\n", setting.name, setting.value.empty() ? "-" : setting.value,
                        setting.origin);
  }
  text += fmt::format("\n{}\n", style(Tone::strong, "Machine"));
  bool works = true;
  for (const MachineCheck& check : check_machine()) {
    if (!check.fine && check.needed) works = false;
    const Tone tone = check.fine ? Tone::good : check.needed ? Tone::bad : Tone::doubtful;
    const char* word = check.fine ? "ok" : check.needed ? "missing" : "note";
    text += fmt::format("  {} {}: {}\n", style(tone, fmt::format("{:<8}", word)), check.name, check.found);
    if (!check.fine) text += fmt::format("           -> {}\n", check.remedy);
  }
  print(text);
  return works ? ExitStatus::passed : ExitStatus::usage;
}

} // namespace reex
