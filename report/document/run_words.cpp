#include "report/document/run_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "reex/run/finding_kinds.h"
#include "report/finding_text.h"
#include "report/text/text_layout.h"

namespace reex {
namespace {

constexpr std::array<VerdictWord, 8> k_words = {{
    {Verdict::passed, "PASSED", "passed", Tone::good},
    {Verdict::no_failure_found, "NO FAILURE FOUND", "without a failure so far", Tone::doubtful},
    {Verdict::failed, "FAILED", "failed", Tone::bad},
    {Verdict::inconclusive, "INCONCLUSIVE", "inconclusive", Tone::doubtful},
    {Verdict::uncontrolled, "NOT EXPLORED", "without a second thread", Tone::doubtful},
    {Verdict::not_started, "NOT STARTED", "not started", Tone::bad},
    {Verdict::interrupted, "INTERRUPTED", "interrupted", Tone::doubtful},
    {Verdict::error, "ERROR", "with an error of reex", Tone::bad},
}};

std::string inconclusive_text(const TestRun& run) {
  if (run.ended == EndReason::not_begun) return "the budget ended before its turn";
  if (run.ended == EndReason::races_differ) return "no failure, but the shards met different races";
  const std::uint64_t cut_short = run.inconclusive.executions();
  const std::string& stood = run.inconclusive.example;
  if (run.schedules == 0 && !stood.empty())
    return "no execution came to an end of its own: the first stood " + stood;
  if (cut_short >= run.schedules) return "no execution came to an end of its own";
  return cut_short != 0 ? "no failure, but some executions were cut short"
                        : "no failure, but not all was seen";
}

// Built without the compiler's hooks. Only its calls of functions were seen.
bool hides_its_accesses(const TestRun& run) {
  const auto& modules = run.control.uninstrumented;
  const auto name = std::filesystem::path(run.binary).filename();
  return std::any_of(modules.begin(), modules.end(), [&](const UninstrumentedModule& module) {
    return std::filesystem::path(module.path).filename() == name;
  });
}

std::string claim_text(const TestRun& run) {
  if (run.shard) return fmt::format("no failure in shard {} of {}", run.shard->index, run.shard->count);
  if (run.exhausted) return "no failure in any schedule";
  const std::string within =
      fmt::format("no failure with at most {}", counted(run.bound_completed.value_or(0), "preemption"));
  return complete(run) || !run.bound ? within : fmt::format("{}, of {} asked for", within, *run.bound);
}

// The failures that ended executions, and then those that come of findings.
std::string failed_text(const TestRun& run) {
  const std::string of_findings = failing_finding_counts(run.failures);
  const auto others = static_cast<std::size_t>(
      std::count_if(run.failures.begin(), run.failures.end(),
                    [](const Failure& failure) { return row_of_failure(failure.kind) == nullptr; }));
  if (others == 0) return of_findings;
  return counted(others, "distinct failure") + (of_findings.empty() ? "" : ", ") + of_findings;
}

std::string verdict_text(const TestRun& run) {
  switch (verdict_of(run)) {
  case Verdict::failed:
    return failed_text(run);
  case Verdict::inconclusive:
    return inconclusive_text(run);
  case Verdict::uncontrolled:
    return run.error.text.empty() ? "no second thread or no scheduling point was seen" : run.error.text;
  case Verdict::not_started:
  case Verdict::error:
    return run.error.text.empty() ? "no reason is known" : run.error.text;
  case Verdict::interrupted:
    return "no failure so far";
  case Verdict::no_failure_found:
    return fmt::format("in {}, no bound completed", counted(run.schedules, "schedule"));
  case Verdict::passed:
    break;
  }
  return claim_text(run) + (hides_its_accesses(run) ? "; its accesses were not seen" : "");
}

} // namespace

std::span<const VerdictWord> verdict_words() { return k_words; }

const VerdictWord& word_of(Verdict verdict) {
  return *std::find_if(k_words.begin(), k_words.end(),
                       [&](const VerdictWord& word) { return word.verdict == verdict; });
}

std::string headline(const TestRun& run) {
  const std::string text = verdict_text(run);
  const std::string findings = finding_counts(run.findings);
  if (!failing_finding_counts(run.failures).empty()) return text; // the others have a line of their own
  return text + (text.empty() || findings.empty() ? "" : "; ") + findings;
}

std::string strategy_text(const TestRun& run) {
  if (run.depth) return fmt::format("{}, depth {}", run.strategy, *run.depth);
  if (!run.interesting.empty() && run.sampled)
    return fmt::format("{} of {} operations", run.strategy, run.interesting);
  return run.strategy;
}

std::string bound_text(const TestRun& run) {
  return run.bound ? fmt::format("bound {}", *run.bound) : "no bound";
}

std::string covered(const TestRun& run) {
  if (run.shard)
    return fmt::format("shard {} of {}: reex merge joins the JSON reports of all", run.shard->index,
                       run.shard->count);
  if (run.ended == EndReason::races_differ) return "no bound in full";
  if (run.exhausted) return "every schedule";
  if (run.bound_completed) {
    const std::string preemptions = counted(*run.bound_completed, "preemption");
    std::string text = "every schedule with at most " + preemptions;
    if (run.promoted > 0) text += fmt::format(",\nrelative to the races reachable within {}", preemptions);
    return text;
  }
  return run.sampled ? fmt::format("a sample: {} claims no bound", run.strategy) : "no bound in full";
}

std::string why_ended(const TestRun& run) {
  switch (run.ended) {
  case EndReason::exhausted:
    return "";
  case EndReason::bound: {
    if (!run.bound_completed) return ""; // a gap says why
    const unsigned next = std::max(run.bound.value_or(0), *run.bound_completed) + 1;
    return fmt::format("schedules that need {} or more preemptions: --bound {}, or none", next, next);
  }
  case EndReason::failure_limit:
    return "what comes after the failure: --keep-going 0 goes on";
  case EndReason::schedule_limit:
    return "what comes after the limit on schedules: --schedules N";
  case EndReason::iteration_limit:
    return ""; // a gap says what waits
  case EndReason::budget:
  case EndReason::not_begun:
    return "what the budget did not reach: --budget TIME gives more";
  case EndReason::partial:
    return "what the missing shards hold";
  case EndReason::races_differ:
    return "schedules in which shards switch at races that others found: --promote-from begins with those of "
           "all";
  case EndReason::interrupted:
    return "what comes after the interruption";
  case EndReason::not_started:
  case EndReason::nondeterministic:
  case EndReason::refused:
  case EndReason::damaged:
  case EndReason::error:
    return "";
  }
  return "";
}

std::string uninstrumented_text(const TestRun& run) {
  constexpr std::size_t k_shown = 4;
  const auto& modules = run.control.uninstrumented;
  std::string text;
  for (std::size_t i = 0; i < modules.size() && i < k_shown; ++i) {
    text += fmt::format("{}{} ({})", i == 0 ? "" : ", ",
                        std::filesystem::path(modules[i].path).filename().string(),
                        counted(modules[i].operations, "operation"));
  }
  if (modules.size() > k_shown) text += fmt::format(" and {} more", modules.size() - k_shown);
  if (text.empty()) return text;
  const bool all = run.schedules <= run.control.counted_executions;
  return fmt::format(
      "uninstrumented code: {}{}", text,
      all ? "" : fmt::format(", in the first {} executions", grouped(run.control.counted_executions)));
}

} // namespace reex
