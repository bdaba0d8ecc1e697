#include "cli/run/run_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/terminal/command_error.h"
#include "heuristics/table.h"
#include "impact/choose_heuristics.h"
#include "impact/print.h"
#include "impact/sources/assertions.h"
#include "impact/sources/compiler_options.h"
#include "report/failure_text.h"
#include "report/text/left_text.h"
#include "report/text/text_layout.h"

namespace reex {
namespace {

std::string first_error(const std::vector<TestRun>& runs) {
  for (const TestRun& run : runs) {
    if (!run.error.text.empty()) return run.error.text;
  }
  return "no reason is known";
}

} // namespace

bool heuristic_needs_change(const std::string& name) {
  const auto by = prioritization_of(name);
  return is_auto_heuristic(name) || (by && !by->is_basic());
}

Races races_policy(const Options& options) {
  const bool by_change = options.change.given() || !options.base_binary.empty();
  const Races wanted = options.races.value_or(by_change ? Races::changed : Races::fail);
  return wanted == Races::changed && !by_change ? Races::fail : wanted;
}

void check_races(const Options& options) {
  if (options.by_option.contains("races") && options.races == Races::changed &&
      races_policy(options) != Races::changed)
    throw UsageError("--races changed needs a change to go by: give --base REV or another change option, or "
                     "--base-binary PATH");
}

void check_strategy(const Options& options) {
  const StrategyRow& chosen = row_of(options.strategy);
  const auto given = [&](const char* option) { return options.by_option.contains(option); };
  if (given("depth") && !chosen.takes_depth)
    throw UsageError(fmt::format("--depth is an option of pct, not of {}: give --strategy pct", chosen.name));
  if (!options.profile.empty() && options.portfolio.empty() && !chosen.learns)
    throw UsageError(
        fmt::format("--profile is of strategies that learn, and {} does not: give --strategy pct, "
                    "urw, surw or auto, or leave it out",
                    chosen.name));
  if (!given("interesting")) return;
  if (!chosen.takes_interesting)
    throw UsageError(fmt::format(
        "--interesting is an option of surw and auto, not of {}: give --strategy surw", chosen.name));
  if (options.interesting != Interesting::impacted) return;
  if (!options.change.given())
    throw UsageError(
        "--interesting impacted needs a change to go by: give --base REV or another change option");
  if (!options.heuristic.empty() && !heuristic_needs_change(options.heuristic))
    throw UsageError(
        fmt::format("--interesting impacted needs a heuristic that says what is impacted, and {} "
                    "says nothing: give another, as LOA",
                    options.heuristic));
}

std::vector<std::string> run_notes(const Options& options, const BinaryInfo& binary,
                                   const TestSelection& tests, const Change* change) {
  std::vector<std::string> notes;
  if (change != nullptr) {
    const Impact& impact = change->impact;
    notes = impact.notes;
    if (const std::string file = impact::file_of_compiler_options(impact.changes); !file.empty())
      notes.push_back(file + " changes options of the compiler: what they have an impact on is not known");
    if (impact.no_cpp_changes) {
      notes.emplace_back("the change touches nothing of C or C++: every schedule counts alike (Basic)");
    } else if (!change->beside && (impact.no_points || impact.matcher.empty())) {
      if (!impact.elsewhere)
        notes.emplace_back("the change gave no code point: every schedule counts alike (Basic)");
    } else if (!change->beside && is_auto_heuristic(options.heuristic)) {
      const HeuristicChoice choice = choose_heuristics(impact);
      notes.push_back(fmt::format("heuristic auto goes by {}{}{}", choice.names,
                                  choice.why.empty() ? "" : ": ", choice.why));
    }
  }
  if (!binary.instrumented) {
    notes.emplace_back(
        "the test is not instrumented: only calls of pthreads are scheduling points, atomics are not; "
        "reex flags --compile shows how to build it");
  } else if (options.accesses == Accesses::sync) {
    notes.emplace_back(
        "plain memory accesses are not scheduling points: a failure that needs a data race may be "
        "missed; --accesses racy, the default, explores those that race");
  } else if (options.accesses == Accesses::racy && races_policy(options) == Races::off) {
    notes.emplace_back(
        "data races are not looked for: no plain memory access becomes a scheduling point, as under "
        "--accesses sync, and a failure that needs a race may be missed");
  }
  if (!binary.has_debug_info)
    notes.emplace_back("the test has no debug information: build it with -g to see lines");
  if (const std::string file = impact::compiled_out_assertions(binary); !file.empty())
    notes.push_back(
        fmt::format("the test contains none of the assertions in {}: if -DNDEBUG compiled them out, "
                    "nothing checks them; build it without",
                    std::filesystem::path(file).filename().string()));
  notes.insert(notes.end(), tests.notes.begin(), tests.notes.end());
  if (tests.disabled > 0) notes.push_back(fmt::format("{} disabled tests are skipped", tests.disabled));
  return notes;
}

std::string plan_text(const Options& options, const BinaryInfo& binary, const TestSelection& tests,
                      const Change* change) {
  std::string text = fmt::format("Binary: {}\n", binary.path);
  if (tests.framework != Framework::none) {
    text += fmt::format("Tests to be explored: {}\n", tests.names.size());
    for (const std::string& name : tests.names) text += "  " + name + '\n';
  } else {
    text += "Tests to be explored: the program as a whole\n";
  }
  text += fmt::format("Bound: {}\n", options.bound ? std::to_string(*options.bound) : "none");
  if (change != nullptr)
    text += fmt::format("Change: {}\n{}", change->view.title, impact_table(change->impact));
  else
    text += "Change: none, every schedule counts alike (Basic)\n";
  return text;
}

std::string expectation_text(const std::vector<TestRun>& probes) {
  std::string text;
  for (const TestRun& run : probes) {
    if (run.left.empty()) continue;
    text += fmt::format("  {}, after {}:\n{}", test_title(run.binary, run.name),
                        counted(run.schedules + run.pruned, "execution"), left_before(run.left));
  }
  return text.empty() ? text : "To be expected, without the races that are yet to be found:\n" + text;
}

std::string status_line(ExitStatus status, const std::vector<TestRun>& runs, const BinaryInfo& binary,
                        const Options& options, bool resumable) {
  switch (status) {
  case ExitStatus::internal:
    for (const TestRun& run : runs)
      if (run.error.kind == ErrorKind::damaged || run.error.kind == ErrorKind::machine) return run.error.text;
    return fmt::format("{}: this is an error of reex, not of the test: report it with the command",
                       first_error(runs));
  case ExitStatus::not_started:
    return fmt::format("the test does not start ({}): run {} by itself", first_error(runs), binary.path);
  case ExitStatus::uncontrolled:
    for (const TestRun& run : runs)
      if (run.error.kind == ErrorKind::uncontrolled) return run.error.text;
    for (const TestRun& run : runs)
      for (const Gap& gap : run.gaps)
        if (gap.kind == "child-threads")
          return fmt::format(
              "{} started no second thread itself, but child processes of it did: nothing was explored; "
              "let it start them without a fork (some frameworks fork unless one test is named)",
              binary.path);
    return binary.instrumented
               ? fmt::format("{} started no second thread: nothing was explored; give it a test with threads",
                             binary.path)
               : fmt::format("{} showed no threads under control: nothing was explored; build it as reex "
                             "flags says, or "
                             "give it a test with threads",
                             binary.path);
  case ExitStatus::inconclusive:
    for (const TestRun& run : runs)
      if (run.inconclusive.watchdog != 0)
        return "an execution made no progress: if it waits in a loop, let it wait in a call, or build it as "
               "reex flags says; if it computes for long, --hang-after TIME gives it more";
    if (const auto unbegun = std::count_if(
            runs.begin(), runs.end(), [](const TestRun& run) { return run.ended == EndReason::not_begun; });
        unbegun != 0)
      return !resumable ? ""
                        : fmt::format("{} of {} tests {} not begun: give more --budget, choose tests with "
                                      "--filter{}, or go on with --resume",
                                      unbegun, runs.size(), unbegun == 1 ? "was" : "were",
                                      options.change.select ? "" : " or --select");
    for (const TestRun& run : runs)
      for (const Gap& gap : run.gaps)
        if (gap.effect == GapEffect::verdict)
          return (runs.size() > 1 ? test_title(run.binary, run.name) + ": " : "") + gap.detail +
                 (gap.remedy.empty() ? "" : ": " + gap.remedy);
    return "the bound was not explored in full: give more --budget, --schedules or --max-steps";
  case ExitStatus::interrupted:
    return "interrupted: the report holds what was done until then";
  default:
    return "";
  }
}

} // namespace reex
