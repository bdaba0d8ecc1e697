// The verbs. Each prints its reports to standard output, and returns the exit status or throws CommandError.
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
// `run --until-fail`: any command, natively.
ExitStatus until_fail_command(const Invocation& invocation);
ExitStatus merge_command(const Invocation& invocation);
ExitStatus replay_command(const Invocation& invocation);
ExitStatus minimize_command(const Invocation& invocation);
ExitStatus promote_command(const Invocation& invocation);
ExitStatus impact_command(const Invocation& invocation);
ExitStatus compare_command(const Invocation& invocation);
// `compare --evaluation`: a page of the JSON of several comparisons.
ExitStatus evaluation_command(const Invocation& invocation);
// `imunit infer` and `imunit migrate`.
ExitStatus imunit_command(const Invocation& invocation);
ExitStatus list_command(const Invocation& invocation);
ExitStatus flags_command(const Invocation& invocation);
ExitStatus hook_command(const Invocation& invocation);
ExitStatus doctor_command(const Invocation& invocation);

// Prints the names of the tests, one on each line, for `list tests` and `run --list-tests`.
ExitStatus print_tests(const std::string& binary, const std::string& filter);

} // namespace reex
