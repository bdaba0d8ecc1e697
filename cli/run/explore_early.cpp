#include "cli/run/explore_early.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/terminal/interruption.h"
#include "report/merge.h"
#include "report/text/text_layout.h"

namespace reex {

EarlyRun explore_early(Change& change, const ExploreOptions& options, RunObserver& observer,
                       const std::function<TestRun(const ExploreOptions&)>& explore) {
  ExploreOptions early = options;
  early.heuristic.clear();
  early.interesting = Interesting::shared;
  if (options.races == Races::changed) {
    early.keeps_schedule = [&](const Finding& finding) {
      return finding.kind == "data-race" || options.keeps_schedule(finding);
    };
    early.settles = {};
  }
  const auto begun = std::chrono::steady_clock::now();
  observer.stop_when([&](const Progress& progress) {
    const auto now = std::chrono::steady_clock::now();
    const bool pays = !options.deadline || *options.deadline - now >= now - begun;
    // Beyond the bound the order matters little, but a finding that is of the change ends the search there.
    const bool bound_is_done = options.bound && progress.bound > *options.bound;
    return pays && (!bound_is_done || progress.findings != 0) && change.beside->is_done();
  });
  EarlyRun result{explore(early)};
  observer.stop_when({});
  result.goes_on = result.run.ended == EndReason::interrupted && !interruption_requested();
  return result;
}

void note_unordered(TestRun& run, bool analysed) {
  run.notes.emplace_back(
      analysed
          ? "the analysis of the change came too late to order the schedules: --wait-for-impact waits "
            "for it"
          : "the run ended before the change was analysed: its order, and what it has an impact on beside "
            "the changed lines, did not count; --wait-for-impact waits for the analysis");
}

void note_early(TestRun& run, const TestRun& early) {
  if (early.schedules != 0)
    run.notes.push_back(
        fmt::format("{} executed before the change was analysed, in no order of it: with "
                    "--wait-for-impact a run can be repeated exactly",
                    early.schedules == 1 ? "1 schedule was" : grouped(early.schedules) + " schedules were"));
}

void join_early(TestRun& run, const TestRun& early) {
  const bool covers_more =
      early.bound_completed && (!run.bound_completed || *early.bound_completed > *run.bound_completed);
  join_earlier(run, early);
  if (run.ended == EndReason::not_begun) run.ended = EndReason::budget;
  if (covers_more) {
    run.bound_completed = early.bound_completed;
    run.left = early.left;
    for (const Gap& gap : early.gaps)
      if (std::find(run.gaps.begin(), run.gaps.end(), gap) == run.gaps.end()) run.gaps.push_back(gap);
  }
  for (const Finding& finding : early.findings) {
    const bool kept = std::any_of(run.findings.begin(), run.findings.end(),
                                  [&](const Finding& other) { return other.replay == finding.replay; });
    std::error_code ignored;
    if (!kept && !finding.replay.empty()) std::filesystem::remove(finding.replay, ignored);
  }
}

bool awaits_analysis(const TestRun& run, const ExploreOptions& options) {
  return options.races == Races::changed &&
         std::any_of(run.findings.begin(), run.findings.end(),
                     [](const Finding& finding) { return finding.kind == "data-race"; });
}

} // namespace reex
