#include "cli/commands/hook_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <map>
#include <set>

#include "cli/commands/explored.h"
#include "cli/hook/build_state.h"
#include "cli/hook/policy.h"
#include "cli/hook/pushed_change.h"
#include "cli/run/guard.h"
#include "cli/subject/binary.h"
#include "cli/subject/change.h"
#include "cli/terminal/command_error.h"
#include "cli/terminal/interruption.h"
#include "cli/terminal/output.h"
#include "cli/verdict/run_status.h"
#include "git/repository.h"
#include "reex/explorer/explore.h"
#include "reex/process/environment.h"
#include "reex/run/verdict.h"
#include "report/text/text_layout.h"

namespace reex {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// git opens the connection before it runs the hook, and servers close one that is idle for 5 to 15 minutes.
constexpr std::chrono::minutes k_patience_of_servers{5};

constexpr const char* k_nevertheless = "git push --no-verify sends it nevertheless";
constexpr const char* k_stopped = "the push is stopped; git push --no-verify sends it untested";

std::string in_words(std::chrono::milliseconds time) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time).count();
  if (seconds < 1) return fmt::format("{} ms", time.count());
  return seconds < 120 ? fmt::format("{} s", seconds) : fmt::format("{} min", seconds / 60);
}

std::string ago(std::uint64_t time) {
  const auto now = static_cast<std::uint64_t>(std::time(nullptr));
  const std::uint64_t seconds = now > time ? now - time : 0;
  if (seconds < 60) return "just now";
  if (seconds < 3600) return counted(seconds / 60, "minute") + " ago";
  if (seconds < 48 * 3600) return counted(seconds / 3600, "hour") + " ago";
  return counted(seconds / (24 * 3600), "day") + " ago";
}

// git tells a hook where the repository is. What the tests and the build do must not depend on it, so this
// forgets it, and refuses a repository that cannot be found without it.
std::string enter_repository() {
  const char* told = std::getenv("GIT_DIR");
  std::error_code error;
  const fs::path wanted = told == nullptr ? fs::path() : fs::weakly_canonical(told, error);
  unset_git_local_variables();
  const std::string root = open_repository(".")->root();
  const fs::path found = fs::weakly_canonical(open_history(root)->git_folder(), error);
  if (!wanted.empty() && !fs::equivalent(found, wanted, error))
    throw CommandError(
        ExitStatus::unresolved,
        fmt::format("the repository is {} by GIT_DIR, but {} by its folder: the hook needs one whose "
                    "files lie around it",
                    wanted.string(), found.string()));
  return root;
}

class HookRun {
public:
  explicit HookRun(const Invocation& invocation)
      : m_invocation(invocation), m_options(m_invocation.settings.options) {}

  // The statuses of all that was to be done.
  std::vector<ExitStatus> execute() {
    end_when_interrupted(
        {{STDERR_FILENO, last_line(fmt::format("interrupted before anything was tested: {}", k_stopped))}});
    const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    const std::vector<PushedRef> refs = parse_pushed_refs(text);
    if (std::all_of(refs.begin(), refs.end(), [](const PushedRef& ref) { return ref.deletes(); })) return {};
    m_root = enter_repository();
    m_repository = open_repository(m_root);
    m_history = open_history(m_root);
    const auto& words = m_invocation.line.test_arguments; // the remote's name and its address
    const PushedChanges pushed =
        changes_of_push(refs, *m_history, words.empty() ? "origin" : words.front(), m_options.change.base);
    for (const std::string& line : pushed.nothing_new) say(line);
    if (pushed.changes.empty()) return {};
    m_project = require_project_tests(m_invocation.settings);
    for (const std::string& note : m_project.notes) say(note);
    leave_out_what_is_not_concerned(pushed.changes);
    if (m_project.tests.empty()) return {};
    if (!build()) return m_statuses;
    explore(pushed.changes);
    return m_statuses;
  }

private:
  std::vector<std::string> files_of(const PushedChange& change) const {
    if (!change.base) return {};
    ChangeOptions options;
    options.base = *change.base;
    options.head = change.commit;
    return changed_files(options, m_root);
  }

  void leave_out_what_is_not_concerned(const std::vector<PushedChange>& changes) {
    for (const PushedChange& change : changes) {
      const auto files = files_of(change);
      m_files.insert(files.begin(), files.end());
      if (!change.base) return; // everything is new
    }
    const std::vector<std::string> files(m_files.begin(), m_files.end());
    std::erase_if(m_project.tests, [&](const TestEntry& test) {
      const bool out = !concerns(test, files);
      if (out) say(fmt::format("{} is skipped: what is pushed touches none of its sources", test.name));
      return out;
    });
  }

  // Whether a file of the push was written after the binary. A header that only defines macros is no source
  // of the binary as far as its debug information tells.
  bool older_than_push(const std::string& binary) const {
    std::error_code error;
    const fs::file_time_type built = fs::last_write_time(binary, error);
    return std::any_of(m_files.begin(), m_files.end(), [&](const std::string& file) {
      std::error_code gone;
      const auto written = fs::last_write_time(fs::path(m_root) / file, gone);
      return !gone && written > built;
    });
  }

  bool needs_build(const TestEntry& test) const {
    std::error_code error;
    if (!fs::exists(test.binary, error)) return true;
    return older_than_push(test.binary) || !build_state(read_binary_info(test.binary), m_root).up_to_date();
  }

  // False if the build failed, and there is nothing to explore.
  bool build() {
    const auto stale = [this](const TestEntry& test) { return needs_build(test); };
    if (m_project.build.empty() || std::none_of(m_project.tests.begin(), m_project.tests.end(), stale))
      return true;
    say(fmt::format("the tests are older than the sources: {}", m_project.build));
    const auto begun = Clock::now();
    watch_for_interruption();
    const int status = run_build(m_project.build, m_root, interruption_requested);
    m_built = true;
    constexpr int k_killed = 128;
    if (interruption_requested() || status == k_killed + SIGINT || status == k_killed + SIGTERM) {
      say("the build was interrupted: nothing is tested");
      m_statuses.push_back(ExitStatus::interrupted);
      return false;
    }
    if (Clock::now() - begun > k_patience_of_servers)
      say("the build took more than 5 minutes: if the server closes the connection meanwhile, push again");
    if (status == 0) return true;
    say(fmt::format("the build failed (status {}): nothing is tested", status));
    m_statuses.push_back(ExitStatus::usage);
    return false;
  }

  std::string build_words(const std::string& binary) const {
    const std::string command = m_project.build.empty() ? rebuild_command(binary) : m_project.build;
    return command.empty() ? "build it again" : command;
  }

  // What the binaries say of themselves. One that cannot be read is left to the exploration, which says why.
  void read_binaries() {
    for (const TestEntry& test : m_project.tests) {
      BinaryInfo info = read_binary_info(test.binary);
      if (info.error.empty()) m_binaries.emplace(test.binary, std::move(info));
    }
  }

  // The sources of the tests that differ, on the disk, from those of the commit.
  std::vector<std::string> differing(const std::string& commit) const {
    std::set<std::string> sources;
    bool unknown = false;
    for (const auto& [path, info] : m_binaries) {
      unknown = unknown || !info.has_debug_info;
      for (std::string& source : sources_of(info, m_root)) sources.insert(std::move(source));
    }
    std::vector<std::string> names;
    for (const FileChange& change : m_repository->diff_working_tree(commit)) {
      const std::string& name = change.new_path.empty() ? change.old_path : change.new_path;
      if (unknown || sources.contains(change.old_path) || sources.contains(change.new_path))
        names.push_back(name);
    }
    return names;
  }

  void tell_of_elsewhere(const PushedChange& change) {
    const auto files = differing(change.commit);
    const bool checked_out = m_history->checked_out() == change.commit;
    say(fmt::format("{} ({}) is not tested: {} on the disk {} than in it{}", change.ref,
                    short_id(change.commit), listed(files), files.size() > 1 ? "are others" : "is another",
                    checked_out ? "; commit or stash that, build, and push again"
                                : "; check it out, build, and push again"));
    m_statuses.push_back(ExitStatus::uncontrolled);
  }

  // Leaves out the tests whose binaries were built from other sources.
  void leave_out_what_is_stale() {
    std::erase_if(m_project.tests, [this](const TestEntry& test) {
      const auto info = m_binaries.find(test.binary);
      if (info == m_binaries.end()) return false;
      const BuildState state = build_state(info->second, m_root);
      // After a build that succeeded, a newer source is one that the build did not need.
      if (state.other.empty() && (m_built || state.newer.empty())) return false;
      say(fmt::format("{} is not tested: it was built before {} was written: {}", test.name,
                      listed(state.other.empty() ? state.newer : state.other), build_words(test.binary)));
      m_statuses.push_back(ExitStatus::uncontrolled);
      return true;
    });
  }

  void explore(const std::vector<PushedChange>& changes) {
    read_binaries();
    const United united =
        unite(changes, *m_history, [this](const std::string& commit) { return differing(commit).empty(); });
    for (const PushedChange& change : united.elsewhere) tell_of_elsewhere(change);
    if (united.commit.empty()) return;
    for (const PushedChange& change : united.together)
      say(fmt::format("{} at {}{}: {}", change.ref, short_id(change.commit),
                      change.base ? ", compared with " + short_id(*change.base) : "", change.base_is));
    leave_out_what_is_stale();
    if (m_project.tests.empty()) return;
    if (m_options.hook_budget > k_patience_of_servers)
      say(fmt::format(
          "hook.budget is {}: servers close a connection that is idle for 5 to 15 minutes, and git has "
          "opened it already",
          in_words(m_options.hook_budget)));
    const bool clean = m_repository->diff_working_tree(united.commit).empty();
    ProjectRun how;
    how.use_receipts = true;
    how.resumable = false;
    how.by = "the hook";
    how.tree = clean ? m_history->tree_of(united.commit) : "";
    how.budget = m_options.hook_budget;
    how.uses_up_budget = false;
    how.somebody_waits = true;
    const bool select = m_options.change.select;
    m_options.change = {};
    m_options.change.select = select;
    m_options.change.base = united.base.value_or("");
    m_options.change.all = !united.base;
    m_options.change.repository = m_root;
    m_options.quiet = !m_options.verbose;
    RunOutput output({});
    const std::vector<EntryResult> results = explore_project(m_invocation, m_project, how, output);
    tell_notes(results);
    for (const EntryResult& result : results) {
      tell(result);
      for (const std::string& state : result.explored.finished_states) remove_state(state);
    }
    tell_of_budget();
    if (!interruption_requested()) return;
    m_statuses.push_back(ExitStatus::interrupted);
    for (std::size_t i = results.size(); i < m_project.tests.size(); ++i)
      say(fmt::format("{} was not begun", m_project.tests[i].name));
  }

  // The runs are quiet, and several tests mostly have the same to say.
  void tell_notes(const std::vector<EntryResult>& results) const {
    if (!m_options.quiet) return;
    std::set<std::string> told;
    for (const EntryResult& result : results)
      for (const std::string& note : result.explored.notes)
        if (told.insert(note).second) say(note);
  }

  void tell(const EntryResult& result) {
    if (result.receipt) {
      const Receipt& receipt = *result.receipt;
      say(fmt::format(
          "{} passed {} by {}: {}", result.name, ago(receipt.time), receipt.by,
          receipt.bound ? fmt::format("bound {}, {}", *receipt.bound, counted(receipt.schedules, "schedule"))
                        : counted(receipt.schedules, "schedule") + ", which are all"));
      return;
    }
    if (const auto& skipped = result.explored.skipped; !skipped.empty())
      say(result.explored.status == ExitStatus::skipped
              ? fmt::format("{} is skipped: none of its tests can reach what is impacted", result.name)
              : fmt::format("{}: {} skipped, which can reach nothing impacted: {}", result.name,
                            counted(skipped.size(), "test") + (skipped.size() > 1 ? " are" : " is"),
                            fmt::join(skipped, ", ")));
    if (!result.explored.why_all.empty())
      say(fmt::format("{}: no test is skipped, because {}", result.name, result.explored.why_all));
    const auto& runs = result.explored.runs;
    const auto by_budget =
        static_cast<std::size_t>(std::count_if(runs.begin(), runs.end(), [](const TestRun& run) {
          return is_of_budget(run) && run.failures.empty();
        }));
    if (result.unexplored)
      m_unexplored.push_back(result.name);
    else if (by_budget != 0 && runs.size() == 1)
      m_cut_short.push_back(result.name);
    else if (by_budget != 0)
      say(fmt::format("{}: {} the bound was explored in {} of its {} tests{}", result.name, before(),
                      by_budget, runs.size(), unbegun_words(runs)));
    m_statuses.push_back(only_the_budget(result) ? ExitStatus::passed : result.explored.status);
    if (m_statuses.back() == ExitStatus::failed) m_failed.push_back(result.name);
  }

  std::string before() const {
    return fmt::format("the budget of {} (hook.budget) ended before", in_words(m_options.hook_budget));
  }

  // Where the budget left several tests in the same way, they share a line.
  void tell_of_budget() const {
    if (m_cut_short.size() == 1)
      say(fmt::format("{}: {} the bound was explored", m_cut_short.front(), before()));
    if (m_cut_short.size() > 1)
      say(fmt::format("{} the bound was explored in {} tests: {}", before(), m_cut_short.size(),
                      first_of(m_cut_short)));
    if (m_unexplored.size() == 1)
      say(fmt::format("{}: {} its turn came: it is not tested", m_unexplored.front(), before()));
    if (m_unexplored.size() > 1)
      say(fmt::format("{} the turn of {} tests came, which are not tested: {}", before(), m_unexplored.size(),
                      first_of(m_unexplored)));
  }

  // "a, b and 3 more"
  static std::string first_of(const std::vector<std::string>& names) {
    constexpr std::size_t k_most = 10;
    if (names.size() <= k_most + 1) return fmt::format("{}", fmt::join(names, ", "));
    return fmt::format("{} and {} more", fmt::join(names.begin(), names.begin() + k_most, ", "),
                       names.size() - k_most);
  }

  static std::string unbegun_words(const std::vector<TestRun>& runs) {
    const auto count = std::count_if(runs.begin(), runs.end(),
                                     [](const TestRun& run) { return run.ended == EndReason::not_begun; });
    return count == 0 ? "" : fmt::format(", and {} of them {} not begun", count, count == 1 ? "was" : "were");
  }

  static bool is_of_budget(const TestRun& run) {
    return run.ended == EndReason::budget || run.ended == EndReason::not_begun;
  }

  // Whether nothing but the budget keeps the test from a verdict.
  static bool only_the_budget(const EntryResult& result) {
    if (result.unexplored) return true;
    const auto& runs = result.explored.runs;
    return result.explored.status == ExitStatus::inconclusive &&
           std::all_of(runs.begin(), runs.end(), [](const TestRun& run) {
             return verdict_of(run) != Verdict::inconclusive ||
                    (is_of_budget(run) && run.inconclusive.executions() == 0 &&
                     std::none_of(run.gaps.begin(), run.gaps.end(), leaves_doubt));
           });
  }

  // Whether something was seen that may be a failure.
  static bool leaves_doubt(const Gap& gap) {
    return gap.kind == "not-repeated" || gap.kind == "races-unjudged";
  }

  Invocation m_invocation;
  Options& m_options;
  std::string m_root;
  std::unique_ptr<Repository> m_repository;
  std::unique_ptr<History> m_history;
  ProjectTests m_project;
  std::set<std::string> m_files; // of all pushed changes
  std::map<std::string, BinaryInfo> m_binaries;
  bool m_built = false;
  std::vector<ExitStatus> m_statuses;
  std::vector<std::string> m_failed;
  std::vector<std::string> m_cut_short;  // by the budget
  std::vector<std::string> m_unexplored; // their turn did not come
};

// The last word: whether the push goes on, and why.
ExitStatus conclude(const std::vector<ExitStatus>& statuses, HookOnError on_error) {
  const auto any = [&](ExitStatus status) {
    return std::find(statuses.begin(), statuses.end(), status) != statuses.end();
  };
  if (any(ExitStatus::interrupted)) {
    say(fmt::format("interrupted: {}", k_stopped));
    return ExitStatus::interrupted;
  }
  if (any(ExitStatus::failed)) {
    say(fmt::format("the push is stopped, because a test fails: {}", k_nevertheless));
    return ExitStatus::failed;
  }
  const ExitStatus worst = joined_status(statuses);
  if (worst == ExitStatus::passed || worst == ExitStatus::skipped) return ExitStatus::passed;
  if (stops(worst, on_error)) {
    say(fmt::format("the push is stopped, because not all was tested (hook.on-error is block): {}",
                    k_nevertheless));
    return worst;
  }
  say("the push goes on, although not all was tested: git config reex.hook.on-error block stops it");
  return ExitStatus::passed;
}

} // namespace

ExitStatus hook_run(const Invocation& invocation) {
  if (isatty(STDIN_FILENO) != 0)
    throw UsageError(
        "hook run reads from standard input what git pushes: git push runs it, after reex hook install");
  std::vector<ExitStatus> statuses;
  const ExitStatus otherwise = guarded([&] {
    try {
      statuses = HookRun(invocation).execute();
    } catch (const RepositoryError& error) {
      throw CommandError(ExitStatus::unresolved, error.what());
    }
    return ExitStatus::passed;
  });
  statuses.push_back(otherwise);
  return conclude(statuses, invocation.settings.options.hook_on_error);
}

} // namespace reex
