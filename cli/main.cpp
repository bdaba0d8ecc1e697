// The main function: passes the words of the command line to a verb, and turns errors into one line and a
// status.
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <sys/resource.h>
#include <system_error>
#include <unistd.h>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/options/help.h"
#include "cli/run/guard.h"
#include "cli/terminal/output.h"
#include "reex/run/version.h"

namespace {

using reex::ExitStatus;
using reex::Verb;

ExitStatus dispatch(const reex::Invocation& invocation) {
  switch (invocation.line.verb) {
  case Verb::run:
    return reex::run_command(invocation);
  case Verb::merge:
    return reex::merge_command(invocation);
  case Verb::replay:
    return reex::replay_command(invocation);
  case Verb::minimize:
    return reex::minimize_command(invocation);
  case Verb::promote:
    return reex::promote_command(invocation);
  case Verb::impact:
    return reex::impact_command(invocation);
  case Verb::compare:
    return reex::compare_command(invocation);
  case Verb::list:
    return reex::list_command(invocation);
  case Verb::flags:
    return reex::flags_command(invocation);
  case Verb::imunit:
    return reex::imunit_command(invocation);
  case Verb::doctor:
    return reex::doctor_command(invocation);
  case Verb::hook:
    return reex::hook_command(invocation);
  }
  return ExitStatus::internal;
}

ExitStatus execute(const std::string& program, const std::vector<std::string>& words,
                   std::chrono::steady_clock::time_point started) {
  reex::Invocation invocation;
  invocation.program = program;
  invocation.started = started;
  invocation.line = reex::parse_command_line(words);
  if (invocation.line.help) {
    reex::print(reex::help_text(invocation.line.verb, !invocation.line.verb_named));
    return ExitStatus::passed;
  }
  if (invocation.line.version) {
    reex::print(std::string("reex ") + reex::version() + '\n');
    return ExitStatus::passed;
  }
  std::error_code ignored;
  const std::string folder = std::filesystem::current_path(ignored).string();
  invocation.settings = reex::resolve_settings(invocation.line, reex::sources_for(invocation.line, folder));
  return dispatch(invocation);
}

// Where the caller has closed one of them, a file that reex opens would take its number.
void open_standard_streams() {
  int opened = 0;
  while ((opened = open("/dev/null", O_RDWR)) >= 0 && opened <= STDERR_FILENO) {
  }
  if (opened > STDERR_FILENO) close(opened);
}

bool has_stack() {
  rlimit limit = {};
  return getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= rlim_t{1} << 20;
}

} // namespace

int main(int argc, char** argv) {
  const auto started = std::chrono::steady_clock::now();
  ExitStatus status = ExitStatus::internal;
  open_standard_streams();
  if (!has_stack()) {
    reex::say("the stack is limited to less than a megabyte, which is too little for reex: ulimit -s 8192");
    return static_cast<int>(status);
  }
  std::signal(SIGXFSZ, SIG_IGN); // a file that may not grow is an error of the call
  status = reex::guarded([&] {
    return execute(argc > 0 ? argv[0] : "", std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc),
                   started);
  });
  return static_cast<int>(status);
}
