#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/commands/commands.h"
#include "cli/commands/explored.h"
#include "cli/options/shard.h"
#include "cli/receipts/receipt_keeper.h"
#include "cli/run/entry_scope.h"
#include "cli/run/explore_tests.h"
#include "cli/run/guard.h"
#include "cli/run/interruption.h"
#include "cli/run/reex_folder.h"
#include "cli/run/run_plan.h"
#include "cli/run/run_status.h"
#include "cli/run/terminal_setup.h"
#include "cli/subject/binary.h"
#include "cli/subject/change.h"
#include "cli/terminal/command_error.h"
#include "cli/terminal/output.h"
#include "impact/print.h"
#include "reex/explorer/explore.h"
#include "reex/process/environment.h"
#include "reex/run/finding_kinds.h"
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

// One binary. Of a [[test]], `entry` is what the project says; its folder and environment are in force.
class Run {
public:
  Run(const Invocation& invocation, const TerminalOptions& terminal, const TestEntry* entry,
      const ProjectRun& how)
      : m_invocation(invocation), m_options(invocation.settings.options), m_terminal(terminal),
        m_entry(entry), m_how(how) {}

  Explored execute() {
    prepare();
    if (m_options.dry_run) {
      print(plan_text(m_options, m_binary, m_tests, m_change ? &*m_change : nullptr));
      if (!row_of(m_options.strategy).samples()) print(expectation_text(probe_tests(job(""))));
      return {};
    }
    const ReceiptKeeper receipts = receipt_keeper();
    Explored explored;
    explored.runs = explore_all();
    keep_or_remove_states(explored.runs);
    if (m_options.format.text) print(closing(explored.runs));
    explored.status = status(explored.runs);
    explored.base = m_change ? m_change->impact.base : "";
    explored.several = m_tests.several;
    explored.notes = m_notes;
    if (const std::string problem = receipts.keep(explored.runs, explored.status); !problem.empty())
      say(problem);
    return explored;
  }

  // What says that the same has passed before.
  std::optional<Receipt> receipt() {
    m_binary = require_binary(m_invocation.line.operands.front());
    return receipt_keeper().find(m_options.bound);
  }

private:
  ReceiptKeeper receipt_keeper() const {
    ReceiptSubject subject;
    subject.binary = m_binary.path;
    subject.arguments = m_invocation.line.test_arguments;
    subject.runtime = require_runtime(m_binary).library;
    subject.folder = output_folder();
    subject.base = m_change ? m_change->impact.base : m_options.change.base;
    subject.tree = m_how.tree;
    subject.by = m_how.by;
    subject.environment = m_terminal.environment;
    return {subject, m_options};
  }

  void prepare() {
    const auto& operands = m_invocation.line.operands;
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
    if (!m_options.quiet) {
      for (const std::string& note : m_notes) say(note);
    }
  }

  ExploreTests job(const std::string& failures_folder) const {
    return {m_options,
            m_binary,
            m_tests,
            m_invocation.line.test_arguments,
            m_change ? &*m_change : nullptr,
            require_runtime(m_binary),
            failures_folder,
            m_races,
            m_invocation.started};
  }

  std::vector<TestRun> explore_all() {
    watch_for_interruption();
    ProgressPrinter progress = progress_printer(m_options);
    return explore_tests(job(make_failures_folder(output_folder(), part())), progress,
                         [&](const TestRun& run) {
                           if (m_options.format.text) print(section(run));
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

  // If one test can be continued, the states of all tests are kept. Otherwise all are removed.
  void keep_or_remove_states(std::vector<TestRun>& runs) const {
    const bool keep =
        m_how.resumable && (interruption_requested() || std::any_of(runs.begin(), runs.end(), can_go_on));
    for (TestRun& run : runs) {
      if (keep || run.state_file.empty()) continue;
      remove_state(run.state_file);
      run.state_file.clear();
    }
  }

  std::string resume_command() const {
    std::vector<std::string> words = m_invocation.line.words;
    if (!m_options.resume) words.insert(words.begin() + (m_invocation.line.verb_named ? 1 : 0), "--resume");
    words.insert(words.begin(), m_terminal.program);
    if (m_entry == nullptr) return shell_command(words);
    if (!m_entry->filter.empty()) words.insert(words.end(), {"--filter", m_entry->filter});
    words.push_back(m_binary.path);
    if (!m_entry->arguments.empty()) words.emplace_back("--");
    words.insert(words.end(), m_entry->arguments.begin(), m_entry->arguments.end());
    if (!m_terminal.environment.empty()) {
      words.insert(words.begin(), m_terminal.environment.begin(), m_terminal.environment.end());
      words.insert(words.begin(), "env");
    }
    const std::string command = shell_command(words);
    return m_entry->folder == m_terminal.folder
               ? command
               : fmt::format("cd {} && {}", shell_quote(m_entry->folder), command);
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
        text += fmt::format("  {}\n", replay_command(m_terminal, failure.replay));
      }
    }
    return text;
  }

  ExitStatus status(const std::vector<TestRun>& runs) const {
    const ExitStatus result = run_status(runs, m_options.strict, interruption_requested());
    if (const std::string line = status_line(result, runs, m_binary); !line.empty()) say(line);
    return result;
  }

  const Invocation& m_invocation;
  const Options& m_options;
  const TerminalOptions& m_terminal;
  const TestEntry* m_entry;
  const ProjectRun& m_how;
  DiskSourceLines m_sources;
  BinaryInfo m_binary;
  std::optional<Change> m_change;
  TestSelection m_tests;
  std::vector<std::string> m_notes;
  std::optional<RunFile> m_races;
};

// The reports in files hold what all binaries came to.
void write_reports(const FormatOptions& format, const std::vector<Explored>& all) {
  std::vector<TestRun> runs;
  JsonContext context{version(), "", all.size() > 1, {}};
  for (const Explored& explored : all) {
    runs.insert(runs.end(), explored.runs.begin(), explored.runs.end());
    context.notes.insert(context.notes.end(), explored.notes.begin(), explored.notes.end());
    if (context.base.empty()) context.base = explored.base;
    context.several_tests = context.several_tests || explored.several;
  }
  for (const std::string& path : format.json) write_report(path, run_json(runs, context));
}

// What belongs to one test cannot hold for those of a project.
void refuse_options_of_one_test(const Options& options) {
  for (const char* key : {"filter", "schedule-log", "promote-from", "base-binary", "resume", "list-tests"})
    if (options.by_option.contains(key))
      throw UsageError(fmt::format("--{} is of one test: give its binary", key));
  if (options.change.diff == "-")
    throw UsageError("--diff - can be read once: give a file, or the binary of one test");
}

Invocation invocation_of(const Invocation& invocation, const ProjectTests& project, const TestEntry& test) {
  Invocation one = invocation;
  one.line.operands = {test.binary};
  one.line.test_arguments = test.arguments;
  Options& options = one.settings.options;
  options.filter = test.filter;
  std::error_code error;
  for (std::string* path : {&options.change.repository, &options.change.diff,
                            &options.change.compile_commands, &options.output_folder, &options.base_binary})
    if (!path->empty()) *path = std::filesystem::absolute(*path, error).string();
  if (options.change.repository.empty()) options.change.repository = project.root;
  return one;
}

std::vector<std::string> environment_of(const TestEntry& test) {
  std::vector<std::string> environment;
  for (const auto& [name, value] : test.environment) environment.push_back(fmt::format("{}={}", name, value));
  return environment;
}

// A line for each test.
std::string project_text(const std::vector<EntryResult>& results) {
  std::size_t width = 0;
  for (const EntryResult& result : results) width = std::max(width, result.name.size());
  std::string text = "The tests of the project:\n";
  for (const EntryResult& result : results)
    text += fmt::format("  {:<{}}  {}\n", result.name, width,
                        result.skipped      ? "skipped: none of its sources changed"
                        : result.unexplored ? "not explored: the budget ended before"
                                            : words_of(result.explored.status));
  return text;
}

class ProjectExploration {
public:
  ProjectExploration(const Invocation& invocation, const ProjectTests& project, const ProjectRun& how)
      : m_invocation(invocation), m_project(project), m_how(how),
        m_terminal(terminal_options(invocation.settings.options, invocation.program)) {}

  std::vector<EntryResult> run() {
    const ChangeOptions& change = m_invocation.settings.options.change;
    if (change.given()) m_changed = changed_files(change, m_project.root);
    if (m_how.budget) m_deadline = std::chrono::steady_clock::now() + *m_how.budget;
    watch_for_interruption();
    std::vector<EntryResult> results;
    for (std::size_t i = 0; i < m_project.tests.size() && !interruption_requested(); ++i) {
      const TestEntry& test = m_project.tests[i];
      EntryResult& result = results.emplace_back();
      result.name = test.name;
      result.skipped = m_changed && !concerns(test, *m_changed);
      if (!result.skipped) explore(test, m_project.tests.size() - i, result);
    }
    return results;
  }

private:
  void explore(const TestEntry& test, std::size_t left, EntryResult& result) {
    result.explored.status = guarded([&] {
      const EntryScope scope(test);
      Invocation one = invocation_of(m_invocation, m_project, test);
      TerminalOptions terminal = m_terminal;
      terminal.environment = environment_of(test);
      one.started = std::chrono::steady_clock::now();
      Run run(one, terminal, &test, m_how);
      if (m_how.use_receipts) result.receipt = run.receipt();
      if (result.receipt) return ExitStatus::passed;
      result.unexplored = m_deadline && *m_deadline <= one.started;
      if (result.unexplored) return ExitStatus::inconclusive;
      if (const auto end = share_of_budget(m_deadline, one.started, left))
        one.settings.options.budget = std::max(
            std::chrono::milliseconds(1), std::chrono::ceil<std::chrono::milliseconds>(*end - one.started));
      if (m_project.tests.size() > 1 && one.settings.options.format.text)
        print(fmt::format("{}\n", terminal.style(Tone::strong, fmt::format("== {} ==", test.name))));
      result.explored = run.execute();
      return result.explored.status;
    });
  }

  const Invocation& m_invocation;
  const ProjectTests& m_project;
  const ProjectRun& m_how;
  TerminalOptions m_terminal;
  std::optional<std::vector<std::string>> m_changed;
  std::optional<Time> m_deadline;
};

ExitStatus run_project(const Invocation& invocation) {
  const Options& options = invocation.settings.options;
  refuse_options_of_one_test(options);
  const ProjectTests project = require_project_tests(invocation.settings);
  for (const std::string& note : project.notes) say(note);
  unset_git_local_variables();
  ProjectRun how;
  how.budget = options.budget;
  const std::vector<EntryResult> results = explore_project(invocation, project, how);
  const bool all_skipped =
      std::all_of(results.begin(), results.end(), [](const EntryResult& result) { return result.skipped; });
  std::vector<Explored> all;
  std::vector<ExitStatus> statuses;
  for (const EntryResult& result : results) {
    if (result.skipped) {
      say(fmt::format("{} is skipped: the change touches none of its sources", result.name));
      continue;
    }
    all.push_back(result.explored);
    statuses.push_back(result.explored.status);
  }
  if (!options.dry_run && !all_skipped) write_reports(options.format, all);
  if (interruption_requested()) statuses.push_back(ExitStatus::interrupted);
  const ExitStatus status = joined_status(statuses);
  if (results.size() > 1 && options.format.text && !options.dry_run) print(project_text(results));
  return status;
}

} // namespace

std::vector<EntryResult> explore_project(const Invocation& invocation, const ProjectTests& project,
                                         const ProjectRun& how) {
  return ProjectExploration(invocation, project, how).run();
}

ExitStatus run_command(const Invocation& invocation) {
  if (invocation.settings.options.list_tests) {
    if (invocation.line.operands.size() != 1)
      throw UsageError("--list-tests needs one test binary: give its path");
    return print_tests(invocation.line.operands.front(), invocation.settings.options.filter);
  }
  if (invocation.line.operands.empty()) return run_project(invocation);
  const TerminalOptions terminal = terminal_options(invocation.settings.options, invocation.program);
  const Explored explored = Run(invocation, terminal, nullptr, ProjectRun()).execute();
  if (!invocation.settings.options.dry_run) write_reports(invocation.settings.options.format, {explored});
  return explored.status;
}

} // namespace reex
