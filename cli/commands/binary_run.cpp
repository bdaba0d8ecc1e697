#include "cli/commands/binary_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "cli/hook/pushed_change.h"
#include "cli/options/sanitizer_suppressions.h"
#include "cli/options/shard.h"
#include "cli/options/similar.h"
#include "cli/run/reex_folder.h"
#include "cli/run/run_plan.h"
#include "cli/run/select_by_reach.h"
#include "cli/run/terminal_setup.h"
#include "cli/terminal/command_error.h"
#include "cli/terminal/interruption.h"
#include "cli/terminal/output.h"
#include "cli/terminal/waiting.h"
#include "cli/verdict/run_status.h"
#include "git/history.h"
#include "impact/print.h"
#include "impact/sources/staleness.h"
#include "reex/explorer/explore.h"
#include "reex/process/environment.h"
#include "reex/run/finding_kinds.h"
#include "reex/run/verdict.h"
#include "reex/run/version.h"
#include "report/failure_text.h"
#include "report/finding_text.h"
#include "report/text/paths.h"
#include "report/text/shell_quote.h"

namespace reex {
namespace {

// A hook needs states for its own further passes only, and they are removed while somebody waits for the
// push.
constexpr std::uintmax_t k_most_state = std::uintmax_t{1} << 30;
constexpr std::uintmax_t k_most_state_of_hook = k_most_state / 8;

RunFile read_races(const std::string& path) {
  try {
    return read_run_file(path);
  } catch (const RunFileError& error) {
    throw UsageError(fmt::format("--promote-from: {}", error.what()));
  }
}

// Who takes a lock away leaves no line of the change to be on a stack, but the ones that it was between.
bool is_beside_deletion(const Frame& frame, const Impact& impact) {
  const auto is_blank = [](const std::string& line) {
    return line.find_first_not_of(" \t\r") == std::string::npos;
  };
  for (const FileChange& change : impact.changes) {
    if (frame.file != fmt::format("{}/{}", impact.root, change.new_path)) continue;
    for (const Hunk& hunk : change.hunks) {
      if (hunk.old_count == 0 || !std::all_of(hunk.added.begin(), hunk.added.end(), is_blank)) continue;
      const unsigned before = hunk.new_count == 0 ? hunk.new_start : hunk.new_start - 1;
      if (frame.line == before || frame.line == before + hunk.new_count + 1) return true;
    }
  }
  return false;
}

bool is_written(const Frame& frame, const Impact& impact) {
  const auto file = impact.changed_lines.find(frame.file);
  return file != impact.changed_lines.end() && file->second.contains(frame.line);
}

// Whether nothing but races fails, none of which has to do with a line that the change has written, or with
// those around what it has taken away: it only has an impact on theirs.
bool may_be_old(const std::vector<TestRun>& runs, const Impact& impact) {
  bool any = false;
  for (const TestRun& run : runs) {
    for (const Failure& failure : run.failures) {
      if (failure.kind != "race" || failure.where.size() > 2 || failure.base) return false;
      any = true;
      for (const ThreadPosition& side : failure.where)
        for (const Frame& frame : side.stack)
          if (is_written(frame, impact) || is_beside_deletion(frame, impact)) return false;
    }
  }
  return any;
}

} // namespace

BinaryRun::BinaryRun(const Invocation& invocation, const TerminalOptions& terminal, const TestEntry* entry,
                     const ProjectRun& how, RunOutput& output, Common* common)
    : m_invocation(invocation), m_options(invocation.settings.options), m_terminal(terminal), m_entry(entry),
      m_how(how), m_output(output), m_common(common) {}

Explored BinaryRun::execute() {
  prepare();
  if (m_options.dry_run) {
    print(plan_text(m_options, m_binary, m_tests, m_change ? &*m_change : nullptr));
    if (!row_of(m_options.strategy).samples()) print(expectation_text(probe_tests(job(""))));
    return {};
  }
  Explored explored;
  explored.base = m_change ? m_change->impact.base : "";
  explored.several = m_tests.several;
  explored.root = root().value_or("");
  if (m_change) explored.change = m_change->view;
  if (m_output.events)
    m_output.events->started({version(), explored.base, explored.several, m_notes}, m_binary.path,
                             m_invocation.line.test_arguments, m_tests.names);
  explored.runs = explore_all();
  if (m_change && !m_change->impact.base.empty() && races_policy(m_options) == Races::changed &&
      may_be_old(explored.runs, m_change->impact))
    take_notes({fmt::format(
        "no line of the change is on the stacks of these races, which may be older: git checkout {}, "
        "build, and run reex: what it shows there stops no push",
        short_id(m_change->impact.base))});
  explored.notes = m_notes;
  explored.skipped = m_skipped;
  explored.why_all = m_why_all;
  for (const std::string& name : m_tests.names) // an interrupted run leaves some out
    if (std::none_of(explored.runs.begin(), explored.runs.end(),
                     [&](const TestRun& run) { return run.name == name; }))
      explored.not_run.push_back(name);
  explored.finished_states = finished_states(explored.runs);
  explored.resume_command = resume_command();
  if (m_options.format.text) m_output.lost.attempt([&] { print(closing(explored.runs)); });
  if (m_options.verbose && std::all_of(explored.runs.begin(), explored.runs.end(), complete))
    for (const std::string& line : m_suppressions.unused()) say(line);
  explored.status = status(explored.runs);
  if (m_common != nullptr) m_common->changes[m_binary.path] = std::exchange(m_change, std::nullopt);
  if (const std::string problem = m_receipts->keep(explored.runs, explored.status); !problem.empty())
    say(problem);
  return explored;
}

std::optional<Receipt> BinaryRun::receipt() {
  m_binary = require_binary(m_invocation.line.operands.front());
  return receipt_keeper().find(m_options.bound);
}

ReceiptKeeper BinaryRun::receipt_keeper() const {
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

void BinaryRun::prepare() {
  const auto& operands = m_invocation.line.operands;
  refuse_misspelled_verb(operands.front());
  if (operands.size() > 1) {
    throw UsageError(
        fmt::format("'{}' is one operand too many: put the test's arguments after --", operands[1]));
  }
  m_binary = require_binary(operands.front());
  check_options();
  if (!m_options.promote_from.empty()) m_races = read_races(m_options.promote_from);
  if (!m_options.base_binary.empty()) require_binary(m_options.base_binary);
  unset_git_local_variables();
  analyse();
  if (m_change && m_change->impact.stale) {
    throw CommandError(
        ExitStatus::uncontrolled,
        fmt::format("{} was not built from the sources of the change: build it again", m_binary.path));
  }
  if (!m_options.dry_run) m_receipts = receipt_keeper();
  m_tests = select_tests_of(m_binary, m_options.filter, m_invocation.line.test_arguments);
  if (!m_options.shard) take_share_of_tests(m_tests);
  check_selection(m_binary, m_tests);
  acknowledge_gtest_shards();
  if (!m_options.schedule_log.empty() && m_tests.names.size() > 1) {
    throw UsageError("--schedule-log takes one test: choose it with --filter");
  }
  if (!m_options.profile.empty() && m_tests.names.size() > 1)
    throw UsageError("--profile is of one test: choose it with --filter");
  std::vector<std::string> stale;
  if (!m_change) impact::check_staleness(m_binary, {}, stale); // with a change, the analysis tells
  std::vector<std::string> notes = run_notes(m_options, m_binary, m_tests, m_change ? &*m_change : nullptr);
  if (m_options.change.select && m_change) leave_out_of_reach(notes);
  notes.insert(notes.end(), stale.begin(), stale.end());
  read_suppressions(notes);
  take_notes(notes);
}

// An analysis that takes longer than the turn of one test goes on beside the next ones of the binary.
void BinaryRun::analyse() {
  if (m_common != nullptr) m_change = std::exchange(m_common->changes[m_binary.path], std::nullopt);
  if (m_change) return;
  const Waiting waiting("analysing the change", m_options.quiet && !m_how.somebody_waits);
  m_change = change_under_test(m_options.change, &m_binary, m_options.output_folder, analysis());
}

void BinaryRun::leave_out_of_reach(std::vector<std::string>& notes) {
  const SelectedTests selected = select_by_reach(m_tests, m_change->impact);
  m_tests.names = selected.kept;
  m_why_all = selected.why_all;
  for (const std::string& name : selected.skipped) m_skipped.push_back(test_title(m_binary.path, name));
  notes.insert(notes.end(), selected.notes.begin(), selected.notes.end());
}

void BinaryRun::read_suppressions(std::vector<std::string>& notes) {
  std::vector<Suppression> all;
  std::string root;
  if (const auto& file = m_invocation.settings.file; file) {
    all = file->suppressions;
    root = file->path.parent_path().string();
  }
  if (!m_options.suppressions.empty()) {
    const SanitizerSuppressions more = read_sanitizer_suppressions(m_options.suppressions);
    all.insert(all.end(), more.all.begin(), more.all.end());
    notes.insert(notes.end(), more.notes.begin(), more.notes.end());
  }
  m_suppressions = {all, root, today()};
  notes.insert(notes.end(), m_suppressions.expired().begin(), m_suppressions.expired().end());
}

// Says those that are new.
void BinaryRun::take_notes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) {
    if (std::find(m_notes.begin(), m_notes.end(), note) != m_notes.end()) continue;
    m_notes.push_back(note);
    if (!m_options.quiet) say(note);
  }
}

// The default strategy explores without the change's order until that is known. What is to be repeated, or
// has several parts, needs it from the first schedule on.
Analysis BinaryRun::analysis() const {
  const bool waits = m_options.change.wait_for_impact || m_options.change.select || m_options.dry_run ||
                     m_options.resume || m_options.schedules || m_options.shard ||
                     !m_options.profile.empty() || m_options.iterations != 0 ||
                     !m_options.portfolio.empty() || !m_options.schedule_log.empty() ||
                     m_options.strategy != SearchStrategy::automatic;
  return waits ? Analysis::now : Analysis::beside;
}

void BinaryRun::check_options() const {
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
  if (!m_options.profile.empty() && !m_options.portfolio.empty())
    throw UsageError("--profile is of one search: leave --portfolio out");
  if (!m_options.schedule_log.empty() && (m_options.jobs > 1 || !m_options.portfolio.empty()))
    throw UsageError("--schedule-log is written by one worker: leave --jobs and --portfolio out");
  if (m_options.iterations != 0 && (!m_options.change.given() || row_of(m_options.strategy).samples()))
    throw UsageError(
        "--iterations are those of a heuristic, which a change orders: give --base REV or another change "
        "option, and a strategy that does not only sample");
  if (m_options.iterations != 0 && (m_options.shard || !m_options.portfolio.empty()))
    throw UsageError("--iterations ends one whole search: leave --shard and --portfolio out");
  if (m_options.change.select && m_options.by_option.contains("select") && !m_options.change.given())
    throw UsageError("--select needs a change to go by: give --base REV or another change option");
  check_strategy(m_options);
  check_races(m_options);
  if (m_options.shard && !row_of(m_options.strategy).samples() &&
      m_options.schedules.value_or(UINT64_MAX) < m_options.shard->count)
    throw UsageError("--shard: there are more shards than --schedules: give each at least one");
}

// A first word that is neither a verb nor a program, but is written almost like a verb.
void BinaryRun::refuse_misspelled_verb(const std::string& word) const {
  if (m_invocation.line.verb_named || m_invocation.line.operands_after_dashes || is_there(word)) return;
  std::vector<std::string> verbs;
  for (const VerbRow& row : verb_table()) verbs.emplace_back(row.name);
  if (const std::string meant = did_you_mean(word, verbs, ""); !meant.empty())
    throw UsageError(fmt::format("there is no verb and no test binary {}: {}", word, meant));
}

ExploreTests BinaryRun::job(const std::string& failures_folder) {
  return {m_options,
          m_binary,
          m_tests,
          m_invocation.line.test_arguments,
          m_change ? &*m_change : nullptr,
          require_runtime(m_binary),
          failures_folder,
          &m_suppressions,
          m_races,
          m_invocation.started,
          m_output.events.get(),
          m_how.resumable ? k_most_state : k_most_state_of_hook,
          {}};
}

bool BinaryRun::base_has_shown(const Finding& finding) {
  const Impact& impact = m_change->impact;
  if (impact.base.empty()) return false; // a diff
  if (!m_races_of_base) {
    m_races_of_base.emplace();
    try {
      const RaceSubject subject{open_history(impact.root)->tree_of(impact.base), m_binary.path,
                                m_invocation.line.test_arguments};
      const std::filesystem::path folder = std::filesystem::path(output_folder()) / ".reex" / k_races_folder;
      m_races_of_base = known_races(folder.string(), subject);
    } catch (const RepositoryError&) {
    }
  }
  return is_known_race(finding, *m_races_of_base, impact.changes, impact.root);
}

std::vector<TestRun> BinaryRun::explore_all() {
  watch_for_interruption();
  ProgressPrinter progress = progress_printer(m_options, m_how.somebody_waits);
  ExploreTests tests = job(make_failures_folder(output_folder(), part()));
  tests.on_analysed = [&] {
    progress.finish();
    take_notes(run_notes(m_options, m_binary, m_tests, &*m_change));
  };
  if (m_change) tests.base_has_shown = [&](const Finding& finding) { return base_has_shown(finding); };
  return explore_tests(tests, progress, [&](const TestRun& run) {
    if (m_options.format.text && (m_tests.names.size() < 2 || !is_told_at_the_end(run, m_terminal)))
      m_output.lost.attempt([&] { print(section(run)); });
  });
}

// The subfolder of a shard. Shards may use the same folder at the same time and do not know of each other.
std::string BinaryRun::part() const {
  if (!m_options.shard) return "";
  return fmt::format("shard-{}-of-{}", m_options.shard->index, m_options.shard->count);
}

std::optional<std::string> BinaryRun::root() const {
  if (m_change && !m_change->impact.root.empty()) return m_change->impact.root;
  if (!m_discovered) m_discovered = discover_repository(m_options.change, &m_binary);
  return *m_discovered;
}

std::string BinaryRun::output_folder() const {
  return m_options.output_folder.empty() ? root().value_or(".") : m_options.output_folder;
}

// The text of one test. With -q, a test that passes has one line, and no blank line follows it.
std::string BinaryRun::section(const TestRun& run) {
  const ChangeView* change = m_change ? &m_change->view : nullptr;
  ToldLines* told = m_options.verbose ? nullptr : &m_told;
  std::string text = run_text(run, m_terminal, told) + outcomes_text(run, m_terminal);
  text += suppressed_text(run, m_terminal);
  const std::string title = test_title(run.binary, run.name);
  for (const Failure& failure : run.failures)
    if (row_of_failure(failure.kind) == nullptr)
      text += '\n' + failure_text(failure, title, change, m_sources, m_terminal);
  ToldLines* told_races = told != nullptr && m_common != nullptr ? &m_common->races : told;
  text += failing_findings_text(run, title, m_sources, m_terminal, told_races);
  const std::string findings = findings_text(run, title, m_sources, m_terminal);
  text += findings;
  const bool details = !run.failures.empty() || !findings.empty();
  const bool separate = m_tests.names.size() > 1 && (!m_options.quiet || details);
  return separate ? text + '\n' : text;
}

// If one test can be continued, the states of all tests are kept.
std::vector<std::string> BinaryRun::finished_states(std::vector<TestRun>& runs) const {
  std::vector<std::string> finished;
  if (m_how.resumable && (interruption_requested() || std::any_of(runs.begin(), runs.end(), can_go_on)))
    return finished;
  for (TestRun& run : runs)
    if (!run.state_file.empty()) finished.push_back(std::exchange(run.state_file, ""));
  return finished;
}

std::string BinaryRun::resume_command() const {
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
std::string BinaryRun::closing(const std::vector<TestRun>& runs) const {
  std::string text = total_text(runs, m_terminal);
  if (m_tests.names.size() > 1) text += unexplored_text(runs, m_terminal);
  text += skipped_text(m_skipped, m_terminal);
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

ExitStatus BinaryRun::status(const std::vector<TestRun>& runs) const {
  if (m_tests.names.empty() && !interruption_requested()) return ExitStatus::skipped;
  const ExitStatus result = run_status(runs, m_options.strict, interruption_requested());
  const std::string line = status_line(result, runs, m_binary, m_options, m_how.resumable);
  if (!line.empty()) say(line);
  return result;
}

} // namespace reex
