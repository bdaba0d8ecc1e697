// The verbs. Each returns the exit status or throws CommandError; reports go to standard output.
#pragma once

#include <chrono>
#include <string>

#include "cli/options/command_line.h"
#include "cli/options/settings.h"
#include "cli/terminal/exit_status.h"

namespace reex {

struct Invocation {
  CommandLine line;
  Settings settings;
  std::string program;                           // as the user called it
  std::chrono::steady_clock::time_point started; // of the process
};

ExitStatus run_command(const Invocation& invocation);
ExitStatus merge_command(const Invocation& invocation);
ExitStatus replay_command(const Invocation& invocation);
ExitStatus minimize_command(const Invocation& invocation);
ExitStatus impact_command(const Invocation& invocation);
ExitStatus list_command(const Invocation& invocation);
ExitStatus flags_command(const Invocation& invocation);
ExitStatus doctor_command(const Invocation& invocation);

// The names of `list tests`, one a line: run --list-tests uses it, too.
ExitStatus print_tests(const std::string& binary, const std::string& filter);

} // namespace reex
