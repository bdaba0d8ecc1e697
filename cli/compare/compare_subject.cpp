#include "cli/compare/compare_subject.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "cli/compare/compare_plan.h"
#include "cli/compare/read_run.h"
#include "cli/subject/binary.h"
#include "cli/subject/change.h"
#include "cli/subject/tests_of_binary.h"
#include "cli/terminal/command_error.h"
#include "git/repository.h"
#include "heuristics/table.h"

namespace reex {
namespace {

// A comparison has a limit in time for each run, so that it comes to an end wherever a strategy does not.
constexpr std::chrono::milliseconds k_budget{5000};
constexpr std::uint64_t k_schedules = 10000;
// Enough that the start of a run takes less time than they.
constexpr std::uint64_t k_cost_schedules = 2000;

const std::set<std::string> k_change_options = {"base",   "head",     "merge-base", "diff",
                                                "staged", "worktree", "repo",       "compile-commands"};
const std::set<std::string> k_run_options = {
    "bound", "max-steps", "hang-after",   "memory-limit", "accesses",       "races",
    "audit", "timeouts",  "sleeps",       "slice",        "patience",       "spurious",
    "reuse", "isolation", "suppressions", "filter",       "strict-findings"};

void append(std::vector<std::string>& words, const OptionRow& row, const std::string& value) {
  words.push_back(row.long_name());
  if (*row.value != '\0') words.push_back(value);
}

std::vector<std::string> given_of(const CommandLine& line, const std::set<std::string>& keys) {
  std::vector<std::string> words;
  for (const OptionRow& row : option_table())
    if (const auto given = line.given.find(&row); given != line.given.end() && keys.contains(row.key()))
      append(words, row, given->second);
  return words;
}

void check_change(const Options& options) {
  if (!options.change.given())
    throw UsageError("compare needs a change to go by: give --base REV or another change option");
  if (options.change.diff == "-")
    throw UsageError("compare reads the change more than once: give the diff as a file");
}

std::string only_test(const BinaryInfo& binary, const std::string& filter) {
  const TestSelection tests = select_tests_of(binary, filter);
  if (tests.names.size() == 1) return tests.names.front();
  throw UsageError(fmt::format("{} has {} tests, and compare takes one: choose it with --filter {}",
                               binary.path, tests.names.size(), tests.names.front()));
}

std::string resolved_base(const ChangeOptions& change, const std::string& root) {
  if (!change.diff.empty()) return "";
  try {
    const auto repository = open_repository(root);
    const std::string base = change.base.empty() ? "HEAD" : change.base;
    return change.merge_base ? repository->merge_base(base, change.head.value_or("HEAD"))
                             : repository->resolve(base);
  } catch (const RepositoryError& error) {
    throw CommandError(ExitStatus::unresolved, error.what());
  }
}

void append_subject(std::vector<std::string>& words, const CompareSubject& subject) {
  words.push_back(subject.binary);
  if (subject.arguments.empty()) return;
  words.emplace_back("--");
  words.insert(words.end(), subject.arguments.begin(), subject.arguments.end());
}

} // namespace

CompareSubject compare_subject(const CommandLine& line, const Options& options) {
  if (line.operands.size() != 1)
    throw UsageError("compare takes one test binary: reex compare --base REV TEST_BINARY [-- ARGUMENTS]");
  check_change(options);
  const BinaryInfo binary = require_binary(line.operands.front());
  CompareSubject subject;
  subject.binary = std::filesystem::absolute(binary.path).lexically_normal().string();
  subject.given = line.operands.front();
  subject.test = only_test(binary, options.filter);
  subject.arguments = line.test_arguments;
  const std::string root = require_repository(options.change, &binary);
  subject.root =
      options.output_folder.empty() ? root : std::filesystem::absolute(options.output_folder).string();
  subject.base = resolved_base(options.change, root);
  subject.passed_on = given_of(line, k_change_options);
  // A setting is read by each run anew: the change that is compared is the one that was resolved here.
  if (!options.change.base.empty() && !options.by_option.contains("base"))
    subject.passed_on.insert(subject.passed_on.end(), {"--base", options.change.base});
  const std::vector<std::string> run_options = given_of(line, k_run_options);
  subject.passed_on.insert(subject.passed_on.end(), run_options.begin(), run_options.end());
  subject.steps_limited = options.by_option.contains("max-steps");
  subject.judged =
      options.by_option.contains("heuristic") ? options.heuristic : std::string(default_heuristic().name);
  subject.judged = contestant_of(subject.judged);
  if (subject.judged == heuristics().front().name)
    throw UsageError(
        "--heuristic names the heuristic that is judged, and Basic is the control: name another one");
  subject.schedules =
      options.by_option.contains("schedules") ? options.schedules.value_or(k_schedules) : k_schedules;
  subject.budget = options.by_option.contains("budget") ? options.budget.value_or(k_budget) : k_budget;
  return subject;
}

std::vector<std::string> words_of_run(const CompareSubject& subject, const Contestant& contestant,
                                      const RunId& run, const std::string& folder,
                                      const std::string& report) {
  const bool costs = run.reduction == k_cost_run;
  std::vector<std::string> words = {own_executable(),
                                    "run",
                                    "--quiet",
                                    "--color",
                                    "never",
                                    "--jobs",
                                    "1",
                                    "--keep-going",
                                    costs ? "0" : "1",
                                    "--schedules",
                                    std::to_string(costs ? k_cost_schedules : subject.schedules),
                                    "--budget",
                                    fmt::format("{}ms", subject.budget.count()),
                                    "--seed",
                                    std::to_string(run.seed)};
  const auto add = [&](const char* option, const std::string& value) {
    words.insert(words.end(), {option, value});
  };
  switch (contestant.kind) {
  case ContestantKind::basic:
  case ContestantKind::heuristic:
    add("--strategy", "icb");
    add("--heuristic", heuristic_of(contestant.name));
    break;
  case ContestantKind::sampler:
  case ContestantKind::turns:
    add("--strategy", contestant.name);
    add("--heuristic", heuristic_of(subject.judged));
  }
  if (run.reduction != "any") add("--reduction", costs ? "none" : run.reduction);
  words.insert(words.end(), subject.passed_on.begin(), subject.passed_on.end());
  add("--output", folder);
  add("--format", "json:" + report + (may_be_shown(run) ? ",shown:" + shown_report(report) : ""));
  append_subject(words, subject);
  return words;
}

std::vector<std::string> words_of_analysis(const CompareSubject& subject, const std::string& folder,
                                           const std::string& report) {
  std::vector<std::string> words = {own_executable(), "impact",   "--output",
                                    folder,           "--format", "json:" + report};
  for (std::size_t i = 0; i < subject.passed_on.size(); ++i) {
    const std::string& word = subject.passed_on[i];
    for (const OptionRow& row : option_table()) {
      if (!row.is_option() || row.long_name() != word || !k_change_options.contains(row.key())) continue;
      append(words, row, *row.value == '\0' ? "" : subject.passed_on[i + 1]);
    }
  }
  words.push_back(subject.binary);
  return words;
}

} // namespace reex
