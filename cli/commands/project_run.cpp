#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <tuple>

#include "cli/commands/binary_run.h"
#include "cli/run/entry_scope.h"
#include "cli/run/guard.h"
#include "cli/run/terminal_setup.h"
#include "cli/run/test_turns.h"
#include "cli/run/turn_plan.h"
#include "cli/terminal/command_error.h"
#include "cli/terminal/interruption.h"
#include "cli/terminal/output.h"
#include "cli/verdict/run_status.h"
#include "reex/process/environment.h"
#include "reex/symbols/binary_info.h"

namespace reex {
namespace {

// What belongs to one test cannot hold for those of a project.
void refuse_options_of_one_test(const Options& options) {
  for (const char* key :
       {"filter", "schedule-log", "promote-from", "profile", "base-binary", "resume", "list-tests"})
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
  for (std::string* path :
       {&options.change.repository, &options.change.diff, &options.change.compile_commands,
        &options.output_folder, &options.base_binary, &options.suppressions})
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
  ProjectExploration(const Invocation& invocation, const ProjectTests& project, const ProjectRun& how,
                     RunOutput& output)
      : m_invocation(invocation), m_project(project), m_how(how), m_output(output),
        m_terminal(terminal_options(invocation.settings.options, invocation.program)) {}

  std::vector<EntryResult> run() {
    const ChangeOptions& change = m_invocation.settings.options.change;
    if (change.given()) m_changed = changed_files(change, m_project.root);
    if (m_how.budget) m_deadline = std::chrono::steady_clock::now() + *m_how.budget;
    watch_for_interruption();
    std::vector<EntryResult> results;
    std::vector<Place> turns;
    for (const TestEntry& test : m_project.tests) {
      EntryResult& result = results.emplace_back();
      result.name = test.name;
      result.skipped = m_changed && !concerns(test, *m_changed);
      if (!result.skipped) turns.push_back({results.size() - 1, share_of(test)});
    }
    order(turns);
    std::size_t left = 0;
    for (const Place& turn : turns) left += turn.share;
    std::vector<bool> done(results.size());
    for (const Place& turn : turns) {
      if (interruption_requested()) break;
      explore(m_project.tests[turn.test], turn.share, left, results[turn.test]);
      left -= turn.share;
      done[turn.test] = true;
    }
    while (is_time_left() && go_on(turns, results)) {
    }
    if (interruption_requested()) return those_done(std::move(results), done);
    if (may_leave_tests_out()) keep(turns, results);
    return results;
  }

private:
  struct Place {
    std::size_t test;
    std::size_t share; // of the budget, as a multiple of the smallest
  };

  bool may_leave_tests_out() const { return m_how.budget && m_project.tests.size() > 1; }

  std::string turns_of_project() const {
    const std::string& folder = m_invocation.settings.options.output_folder;
    const std::filesystem::path parent = folder.empty() ? m_project.root : folder;
    return turns_file((parent / ".reex" / "failures").string(), "the tests of the project");
  }

  // What failed last time, then what has most of the change, each in the order of their turns.
  void order(std::vector<Place>& turns) const {
    std::vector<std::string> names;
    for (const Place& turn : turns) names.push_back(m_project.tests[turn.test].name);
    std::vector<std::string> failed;
    if (may_leave_tests_out()) {
      names = in_turns(turns_of_project(), names);
      failed = failed_before(turns_of_project());
    }
    const auto rank = [&](const Place& turn) {
      const std::string& name = m_project.tests[turn.test].name;
      const bool has_failed = std::find(failed.begin(), failed.end(), name) != failed.end();
      return std::tuple(!has_failed, -static_cast<long>(turn.share),
                        std::find(names.begin(), names.end(), name));
    };
    std::stable_sort(turns.begin(), turns.end(),
                     [&](const Place& one, const Place& other) { return rank(one) < rank(other); });
  }

  void keep(const std::vector<Place>& turns, const std::vector<EntryResult>& results) const {
    std::vector<TestTurn> kept;
    for (const Place& turn : turns) {
      const EntryResult& result = results[turn.test];
      const bool failed = result.explored.status == ExitStatus::failed;
      kept.push_back({result.name, result.unexplored ? LastTurn::waits
                                   : failed          ? LastTurn::failed
                                                     : LastTurn::had});
    }
    keep_turns(turns_of_project(), kept);
  }

  // A test that has nothing of the change in it, as far as its debug information tells, can hardly show what
  // the change has done. It comes last, with less.
  std::size_t share_of(const TestEntry& test) const {
    constexpr std::size_t k_share_of_changed = 4;
    if (!m_changed || !m_how.budget) return 1;
    const BinaryInfo binary = read_binary_info(test.binary);
    const bool changed =
        !binary.has_debug_info ||
        std::any_of(m_changed->begin(), m_changed->end(), [&](const std::string& file) {
          return !binary.units_of((std::filesystem::path(m_project.root) / file).lexically_normal().string())
                      .empty();
        });
    return changed ? k_share_of_changed : 1;
  }

  // After an interruption: without those that were not begun.
  static std::vector<EntryResult> those_done(std::vector<EntryResult> results,
                                             const std::vector<bool>& done) {
    std::vector<EntryResult> kept;
    for (std::size_t i = 0; i < results.size(); ++i)
      if (done[i] || results[i].skipped) kept.push_back(std::move(results[i]));
    return kept;
  }

  bool is_time_left() const {
    constexpr std::chrono::seconds k_least{1};
    return m_deadline && !interruption_requested() &&
           std::chrono::steady_clock::now() + k_least < *m_deadline;
  }

  static bool is_cut_short(const EntryResult& result) {
    const ExitStatus status = result.explored.status;
    const auto& runs = result.explored.runs;
    return (status == ExitStatus::passed || status == ExitStatus::inconclusive) &&
           std::any_of(runs.begin(), runs.end(), [](const TestRun& run) {
             return run.ended == EndReason::budget || run.ended == EndReason::not_begun;
           });
  }

  // What others have left of the budget goes to the tests that it has cut short. False: there are none.
  bool go_on(const std::vector<Place>& turns, std::vector<EntryResult>& results) {
    std::vector<Place> again;
    std::copy_if(turns.begin(), turns.end(), std::back_inserter(again),
                 [&](const Place& turn) { return is_cut_short(results[turn.test]); });
    std::size_t left = 0;
    for (const Place& turn : again) left += turn.share;
    for (const Place& turn : again) {
      if (!is_time_left()) break;
      EntryResult further;
      further.name = results[turn.test].name;
      explore(m_project.tests[turn.test], turn.share, left, further, true);
      left -= turn.share;
      // An interruption does not take away what was known.
      if (!interruption_requested() || further.explored.status == ExitStatus::failed)
        results[turn.test] = std::move(further);
    }
    return !again.empty();
  }

  // `again`: goes on where an earlier turn has ended.
  void explore(const TestEntry& test, std::size_t share, std::size_t left, EntryResult& result,
               bool again = false) {
    result.explored.status = guarded([&] {
      const EntryScope scope(test);
      Invocation one = invocation_of(m_invocation, m_project, test);
      TerminalOptions terminal = m_terminal;
      terminal.environment = environment_of(test);
      one.started = std::chrono::steady_clock::now();
      one.settings.options.resume = again;
      BinaryRun run(one, terminal, &test, m_how, m_output, &m_common);
      if (m_how.use_receipts) result.receipt = run.receipt();
      if (result.receipt) return ExitStatus::passed;
      result.unexplored = m_deadline && *m_deadline <= one.started;
      if (result.unexplored) return ExitStatus::inconclusive;
      one.settings.options.uses_up_budget = m_how.uses_up_budget;
      if (const auto end = share_of_budget(m_deadline, one.started, left, share))
        one.settings.options.budget = std::max(
            std::chrono::milliseconds(1), std::chrono::ceil<std::chrono::milliseconds>(*end - one.started));
      if (m_project.tests.size() > 1 && one.settings.options.format.text)
        print(terminal.style(Tone::strong, fmt::format("== {}{} ==", test.name,
                                                       again ? ", with what is left of the budget" : "")) +
              '\n');
      result.explored = run.execute();
      return result.explored.status;
    });
  }

  const Invocation& m_invocation;
  const ProjectTests& m_project;
  const ProjectRun& m_how;
  RunOutput& m_output;
  TerminalOptions m_terminal;
  BinaryRun::Common m_common;
  std::optional<std::vector<std::string>> m_changed;
  std::optional<Time> m_deadline;
};

} // namespace

std::vector<EntryResult> explore_project(const Invocation& invocation, const ProjectTests& project,
                                         const ProjectRun& how, RunOutput& output) {
  return ProjectExploration(invocation, project, how, output).run();
}

ExitStatus run_project(const Invocation& invocation) {
  const Options& options = invocation.settings.options;
  refuse_options_of_one_test(options);
  const ProjectTests project = require_project_tests(invocation.settings);
  for (const std::string& note : project.notes) say(note);
  unset_git_local_variables();
  RunOutput output(options.format);
  ProjectRun how;
  how.budget = options.budget;
  const std::vector<EntryResult> results = explore_project(invocation, project, how, output);
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
  if (interruption_requested()) statuses.push_back(ExitStatus::interrupted);
  const ExitStatus status = joined_status(statuses);
  if (results.size() > 1 && options.format.text && !options.dry_run) print(project_text(results));
  if (options.dry_run || all_skipped) return status;
  return finish_run(all, options, terminal_options(options, invocation.program), status, output);
}

} // namespace reex
