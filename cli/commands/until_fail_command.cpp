#include <unistd.h>

#include <fmt/format.h>

#include <set>

#include "cli/commands/commands.h"
#include "cli/native/until_fail.h"
#include "cli/terminal/command_error.h"
#include "cli/terminal/interruption.h"
#include "cli/terminal/output.h"
#include "report/text/shell_quote.h"
#include "report/text/text_layout.h"

namespace reex {
namespace {

using Clock = std::chrono::steady_clock;

void check_options(const Options& options) {
  static const std::set<std::string> k_taken = {"until-fail", "time-limit", "jobs",       "seed",
                                                "schedules",  "budget",     "keep-going", "strict",
                                                "quiet",      "verbose",    "color"};
  for (const std::string& key : options.by_option)
    if (!k_taken.contains(key))
      throw UsageError(
          fmt::format("--until-fail runs the command as it is, and takes no --{}: leave it out", key));
}

std::string seconds(std::chrono::milliseconds time) {
  return fmt::format("{:.1f} s", static_cast<double>(time.count()) / 1000);
}

std::string rate(const UntilFailResult& result) {
  const double time = std::max<double>(1, static_cast<double>(result.lasted.count())) / 1000;
  return fmt::format("{} in {} ({:.3g}/s)", counted(result.runs, "run"), seconds(result.lasted),
                     static_cast<double>(result.runs) / time);
}

// One line at powers of two, for each failure, and every 30 seconds.
class Lines {
public:
  Lines(std::string command, bool quiet) : m_command(std::move(command)), m_quiet(quiet) {}

  void tell(const UntilFailResult& so_far, const FailedRun* failure) {
    if (m_quiet) return;
    const auto now = Clock::now();
    constexpr std::chrono::seconds k_silence(30);
    if (failure != nullptr)
      say(fmt::format("{}: run {} failed: {}", m_command, failure->number, failure->how));
    else if (so_far.runs >= m_next || now - m_last >= k_silence)
      say(fmt::format("{}: {}, {} failed", m_command, rate(so_far), so_far.failed));
    else
      return;
    while (so_far.runs >= m_next) m_next *= 2;
    m_last = now;
  }

private:
  std::string m_command;
  bool m_quiet;
  std::uint64_t m_next = 1;
  Clock::time_point m_last = Clock::now();
};

std::string failure_text(const FailedRun& failure, std::size_t cpus) {
  std::string text =
      fmt::format("\nrun {}, after {}: {}\n  perturbation: {}\n", failure.number, seconds(failure.lasted),
                  failure.how, perturbation_text(failure.perturbation, cpus));
  if (failure.tail.empty()) return text + "  it printed nothing\n";
  return text + "  the end of what it printed:\n\n" + failure.tail + "\n";
}

std::string percent(const UntilFailResult& result) {
  return fmt::format("{:.3g} %",
                     100.0 * static_cast<double>(result.failed) / static_cast<double>(result.runs));
}

std::string result_text(const UntilFailResult& result, const UntilFailOptions& options,
                        const std::string& program) {
  const std::string command = shell_command(options.command);
  std::string text;
  if (result.failed != 0) {
    text = fmt::format("FAILED {}: {} of {} ({}), natively\n", command, result.failed, rate(result),
                       percent(result));
    for (const FailedRun& failure : result.failures) text += failure_text(failure, usable_cpus().size());
    if (result.failures.size() < result.failed)
      text += fmt::format("\n{} more\n", counted(result.failed - result.failures.size(), "failed run"));
    text += fmt::format("\nThe same perturbations again: {} run --until-fail --seed {} -- {}\n", program,
                        options.seed, command);
  } else if (result.runs != 0) {
    text = fmt::format("NO FAILURE FOUND in {}: no failure in {} (natively: this proves nothing)\n", command,
                       rate(result));
  } else {
    text =
        fmt::format("NOTHING WAS SEEN of {}: no run came to an end in {}\n", command, seconds(result.lasted));
  }
  if (result.cut_short != 0)
    text +=
        fmt::format("{} under way when this ended, and {} not counted\n",
                    counted(result.cut_short, "run was", "runs were"), result.cut_short == 1 ? "is" : "are");
  return text;
}

} // namespace

ExitStatus until_fail_command(const Invocation& invocation) {
  const Options& options = invocation.settings.options;
  if (invocation.line.operands.empty())
    throw UsageError("--until-fail needs a command: reex run --until-fail -- COMMAND ARGUMENTS");
  check_options(options);
  UntilFailOptions how;
  how.command = invocation.line.operands;
  how.command.insert(how.command.end(), invocation.line.test_arguments.begin(),
                     invocation.line.test_arguments.end());
  how.seed = options.seed;
  how.jobs = options.jobs;
  how.runs = options.schedules;
  how.budget = options.budget;
  how.timeout = options.timeout;
  how.keep_going = options.keep_going;
  how.interrupted = interruption_requested;
  watch_for_interruption();
  Lines lines(shell_command(how.command), options.quiet);
  const UntilFailResult result = run_until_fail(
      how, [&](const UntilFailResult& so_far, const FailedRun* failure) { lines.tell(so_far, failure); });
  print(result_text(result, how, invocation.program.empty() ? "reex" : invocation.program));
  if (result.failed != 0) return ExitStatus::failed;
  if (result.interrupted) return ExitStatus::interrupted;
  return result.runs == 0 || options.strict ? ExitStatus::inconclusive : ExitStatus::passed;
}

} // namespace reex
