#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "cli/commands/commands.h"
#include "cli/options/shard.h"
#include "cli/options/similar.h"
#include "cli/run/explore_tests.h"
#include "cli/run/interruption.h"
#include "cli/run/reex_folder.h"
#include "cli/run/run_plan.h"
#include "cli/run/run_status.h"
#include "cli/run/suppress.h"
#include "cli/run/terminal_setup.h"
#include "cli/subject/binary.h"
#include "cli/subject/change.h"
#include "cli/terminal/command_error.h"
#include "cli/terminal/output.h"
#include "impact/print.h"
#include "reex/explorer/explore.h"
#include "reex/process/environment.h"
#include "reex/run/finding_kinds.h"
#include "reex/run/verdict.h"
#include "reex/run/version.h"
#include "report/failure_text.h"
#include "report/finding_text.h"
#include "report/json.h"
#include "report/paths.h"
#include "report/shell_quote.h"
#include "report/terminal.h"

namespace reex {
namespace {

RunFile read_races(const std::string& path) {
  try {
    return read_run_file(path);
  } catch (const RunFileError& error) {
    throw UsageError(fmt::format("--promote-from: {}", error.what()));
  }
}

class Run {
public:
  explicit Run(const Invocation& invocation)
      : m_invocation(invocation), m_options(invocation.settings.options),
        m_terminal(terminal_options(m_options, invocation.program)) {}

  ExitStatus execute() {
    prepare();
    if (m_options.dry_run) {
      print(plan_text(m_options, m_binary, m_tests, m_change ? &*m_change : nullptr));
      if (!row_of(m_options.strategy).samples()) print(expectation_text(probe_tests(job(""))));
      return ExitStatus::passed;
    }
    auto runs = explore_all();
    const std::vector<std::string> finished = finished_states(runs);
    const std::string report = json(runs);
    for (const std::string& path : m_options.format.json) attempt([&] { write_report(path, report); });
    if (m_options.format.text) attempt([&] { print(closing(runs)); });
    if (!m_lost)
      for (const std::string& state : finished) remove_state(state);
    else if (!finished.empty())
      say(fmt::format("the run's state is kept, to write the report again: {}", resume_command()));
    if (m_options.verbose && std::all_of(runs.begin(), runs.end(), complete))
      for (const std::string& line : m_suppressions.unused()) say(line);
    return status(runs);
  }

private:
  // Writes a part of the reports. What cannot be written is said, and the rest of the run and of its reports
  // does not suffer from it.
  template <typename Write>
  void attempt(Write write) {
    try {
      write();
    } catch (const UsageError& error) {
      if (!m_lost) say(error.what());
      m_lost = true;
    }
  }

  void prepare() {
    const auto& operands = m_invocation.line.operands;
    if (operands.empty())
      throw UsageError("no test binary was given: reex [options] TEST_BINARY [-- ARGUMENTS]");
    refuse_misspelled_verb(operands.front());
    if (operands.size() > 1) {
      throw UsageError(
          fmt::format("'{}' is one operand too many: put the test's arguments after --", operands[1]));
    }
    m_binary = require_binary(operands.front());
    if (m_options.heuristic_by_option && heuristic_needs_change(m_options.heuristic) &&
        !m_options.change.given()) {
      throw UsageError(
          fmt::format("--heuristic {} needs a change to go by: give --base REV or another change option",
                      m_options.heuristic));
    }
    for (const PortfolioMember& member : m_options.portfolio)
      if (heuristic_needs_change(member.heuristic) && !m_options.change.given())
        throw UsageError(fmt::format(
            "--portfolio {} needs a change to go by: give --base REV or another change option", member.name));
    if (!m_options.portfolio.empty() && m_options.jobs > 1)
      throw UsageError("--portfolio has a worker for each member: leave --jobs out");
    if (!m_options.portfolio.empty() && m_options.shard)
      throw UsageError("--shard divides one search: leave --portfolio out");
    if (m_options.resume && !m_options.portfolio.empty())
      throw UsageError("--resume goes on with one search: leave --portfolio out");
    if (!m_options.schedule_log.empty() && (m_options.jobs > 1 || !m_options.portfolio.empty()))
      throw UsageError("--schedule-log is written by one worker: leave --jobs and --portfolio out");
    check_strategy(m_options);
    check_races(m_options);
    if (m_options.shard && !row_of(m_options.strategy).samples() &&
        m_options.schedules.value_or(UINT64_MAX) < m_options.shard->count)
      throw UsageError("--shard: there are more shards than --schedules: give each at least one");
    for (const std::string& path : m_options.format.json) check_report_path(path);
    if (!m_options.promote_from.empty()) m_races = read_races(m_options.promote_from);
    if (!m_options.base_binary.empty()) require_binary(m_options.base_binary);
    unset_git_local_variables();
    m_change = change_under_test(m_options.change, &m_binary);
    if (m_change && m_change->impact.stale) {
      throw CommandError(
          ExitStatus::uncontrolled,
          fmt::format("{} was not built from the sources of the change: build it again", m_binary.path));
    }
    m_tests = select_tests_of(m_binary, m_options.filter);
    if (!m_options.shard) take_share_of_tests(m_tests);
    acknowledge_gtest_shards();
    if (!m_options.schedule_log.empty() && m_tests.names.size() > 1) {
      throw UsageError("--schedule-log takes one test: choose it with --filter");
    }
    m_notes = run_notes(m_options, m_binary, m_tests, m_change ? &*m_change : nullptr);
    if (const auto& file = m_invocation.settings.file; file)
      m_suppressions = {file->suppressions, file->path.parent_path().string(), today()};
    m_notes.insert(m_notes.end(), m_suppressions.expired().begin(), m_suppressions.expired().end());
    if (!m_options.quiet) {
      for (const std::string& note : m_notes) say(note);
    }
  }

  // A first word that is neither a verb nor a program, but is written almost like a verb.
  void refuse_misspelled_verb(const std::string& word) const {
    if (m_invocation.line.verb_named || m_invocation.line.operands_after_dashes || is_there(word)) return;
    std::vector<std::string> verbs;
    for (const VerbRow& row : verb_table()) verbs.emplace_back(row.name);
    if (const std::string meant = did_you_mean(word, verbs, ""); !meant.empty())
      throw UsageError(fmt::format("there is no verb and no test binary {}: {}", word, meant));
  }

  ExploreTests job(const std::string& failures_folder) {
    return {m_options,
            m_binary,
            m_tests,
            m_invocation.line.test_arguments,
            m_change ? &*m_change : nullptr,
            require_runtime(m_binary),
            failures_folder,
            &m_suppressions,
            m_races,
            m_invocation.started};
  }

  std::vector<TestRun> explore_all() {
    watch_for_interruption();
    ProgressPrinter progress = progress_printer(m_options);
    return explore_tests(job(make_failures_folder(output_folder(), part())), progress,
                         [&](const TestRun& run) {
                           if (m_options.format.text) attempt([&] { print(section(run)); });
                         });
  }

  // The subfolder of a shard. Shards may use the same folder at the same time and do not know of each other.
  std::string part() const {
    if (!m_options.shard) return "";
    return fmt::format("shard-{}-of-{}", m_options.shard->index, m_options.shard->count);
  }

  std::string output_folder() const {
    if (!m_options.output_folder.empty()) return m_options.output_folder;
    if (m_change && !m_change->impact.root.empty()) return m_change->impact.root;
    return discover_repository(m_options.change, &m_binary).value_or(".");
  }

  // The text of one test. With -q, a test that passes has one line, and no blank line follows it.
  std::string section(const TestRun& run) {
    const ChangeView* change = m_change ? &m_change->view : nullptr;
    std::string text = run_text(run, m_terminal) + outcomes_text(run, m_terminal);
    text += suppressed_text(run, m_terminal);
    const std::string title = test_title(run.binary, run.name);
    for (const Failure& failure : run.failures)
      if (row_of_failure(failure.kind) == nullptr)
        text += '\n' + failure_text(failure, title, change, m_sources, m_terminal);
    text += failing_findings_text(run, title, m_sources, m_terminal);
    const std::string findings = findings_text(run, title, m_sources, m_terminal);
    text += findings;
    const bool details = !run.failures.empty() || !findings.empty();
    const bool separate = m_tests.names.size() > 1 && (!m_options.quiet || details);
    return separate ? text + '\n' : text;
  }

  // The states that nobody needs once the reports are written. If one test can be continued, the states of
  // all tests are kept.
  static std::vector<std::string> finished_states(std::vector<TestRun>& runs) {
    std::vector<std::string> finished;
    if (interruption_requested() || std::any_of(runs.begin(), runs.end(), can_go_on)) return finished;
    for (TestRun& run : runs)
      if (!run.state_file.empty()) finished.push_back(std::exchange(run.state_file, ""));
    return finished;
  }

  std::string resume_command() const {
    std::vector<std::string> words = m_invocation.line.words;
    if (!m_options.resume) words.insert(words.begin() + (m_invocation.line.verb_named ? 1 : 0), "--resume");
    words.insert(words.begin(), m_terminal.program);
    return shell_command(words);
  }

  // The end of the output. For several tests it repeats the replay commands of all failures.
  std::string closing(const std::vector<TestRun>& runs) const {
    std::string text = total_text(runs, m_terminal);
    if (std::any_of(runs.begin(), runs.end(), [](const TestRun& run) { return !run.state_file.empty(); }))
      text += fmt::format("to go on: {}\n", resume_command());
    if (runs.size() < 2) return text;
    for (const TestRun& run : runs) {
      for (const Failure& failure : run.failures) {
        if (failure.replay.empty()) continue;
        text += fmt::format("  {}\n", shell_command({m_terminal.program, "replay",
                                                     path_within(failure.replay, m_terminal.folder)}));
      }
    }
    return text;
  }

  std::string json(const std::vector<TestRun>& runs) const {
    return run_json(runs, {version(), m_change ? m_change->impact.base : "", m_tests.several, m_notes});
  }

  ExitStatus status(const std::vector<TestRun>& runs) const {
    const ExitStatus result = run_status(runs, m_options.strict, interruption_requested());
    if (const std::string line = status_line(result, runs, m_binary); !line.empty()) say(line);
    return m_lost && result == ExitStatus::passed ? ExitStatus::usage : result;
  }

  const Invocation& m_invocation;
  const Options& m_options;
  TerminalOptions m_terminal;
  DiskSourceLines m_sources;
  BinaryInfo m_binary;
  std::optional<Change> m_change;
  TestSelection m_tests;
  std::vector<std::string> m_notes;
  std::optional<RunFile> m_races;
  Suppressions m_suppressions;
  bool m_lost = false; // a part of the reports could not be written
};

} // namespace

ExitStatus run_command(const Invocation& invocation) {
  if (invocation.settings.options.list_tests) {
    if (invocation.line.operands.size() != 1)
      throw UsageError("--list-tests needs one test binary: give its path");
    return print_tests(invocation.line.operands.front(), invocation.settings.options.filter);
  }
  return Run(invocation).execute();
}

} // namespace reex
