#include "cli/commands/commands.h"
#include "cli/subject/binary.h"
#include "cli/terminal/command_error.h"
#include "cli/terminal/output.h"
#include "reex/hooks/flags.h"

namespace reex {

ExitStatus flags_command(const Invocation& invocation) {
  const Options& options = invocation.settings.options;
  if (options.flags_compile == options.flags_link || !invocation.line.operands.empty()) {
    throw UsageError("flags takes one of --compile and --link: give one of them");
  }
  try {
    print(instrument_flags(own_executable(), options.flags_compile) + '\n');
  } catch (const std::runtime_error& error) {
    throw UsageError(error.what());
  }
  return ExitStatus::passed;
}

} // namespace reex
