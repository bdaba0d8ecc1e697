#include "report/terminal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "reex/run/finding_kinds.h"
#include "report/bytes_text.h"
#include "report/failure_text.h"
#include "report/finding_text.h"
#include "report/left_text.h"
#include "report/text_layout.h"

namespace reex {
namespace {

struct VerdictWord {
  Verdict verdict;
  const char* heading;
  const char* in_total;
  Tone tone;
};

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

const VerdictWord& word_of(Verdict verdict) {
  return *std::find_if(k_words.begin(), k_words.end(),
                       [&](const VerdictWord& word) { return word.verdict == verdict; });
}

std::string bound_text(const TestRun& run) {
  return run.bound ? fmt::format("bound {}", *run.bound) : "no bound";
}

std::string inconclusive_text(const TestRun& run) {
  if (run.ended == EndReason::races_differ) return "no failure, but the shards met different races";
  const std::uint64_t cut_short = run.inconclusive.executions();
  if (cut_short >= run.schedules) return "no execution came to an end of its own";
  return cut_short != 0 ? "no failure, but some executions were cut short"
                        : "no failure, but not all was seen";
}

std::string passed_text(const TestRun& run) {
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
  return passed_text(run);
}

// The verdict and the number of findings, so that a pass does not hide them.
std::string headline(const TestRun& run) {
  const std::string text = verdict_text(run);
  const std::string findings = finding_counts(run.findings);
  if (!failing_finding_counts(run.failures).empty()) return text; // the others have a line of their own
  return text + (text.empty() || findings.empty() ? "" : "; ") + findings;
}

std::string strategy_text(const TestRun& run) {
  if (run.depth) return fmt::format("{}, depth {}", run.strategy, *run.depth);
  if (!run.interesting.empty()) return fmt::format("{} of {} operations", run.strategy, run.interesting);
  return run.strategy;
}

// What the run claims to have explored.
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
    const unsigned next = run.bound.value_or(0) + 1;
    return fmt::format("schedules that need {} or more preemptions: --bound {}, or none", next, next);
  }
  case EndReason::failure_limit:
    return "what comes after the failure: --keep-going 0 goes on";
  case EndReason::schedule_limit:
    return "what comes after the limit on schedules: --schedules N";
  case EndReason::budget:
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

class RunWriter {
public:
  RunWriter(const TestRun& run, const TerminalOptions& options) : m_run(run), m_options(options) {}

  std::string write() {
    const VerdictWord& word = word_of(verdict_of(m_run));
    m_text =
        fmt::format("{} {}: {}\n", m_options.style(word.tone, word.heading),
                    m_options.style(Tone::strong, test_title(m_run.binary, m_run.name)), headline(m_run));
    if (!failing_finding_counts(m_run.failures).empty()) field("no failure", finding_counts(m_run.findings));
    if (m_run.schedules > 0 || m_run.control.scheduling_points > 0) facts();
    if (!m_options.quiet) {
      for (const std::string& note : m_run.notes) field("note", note);
    }
    return std::move(m_text);
  }

private:
  void facts() {
    std::string how =
        fmt::format("{} in {:.2f} s ({}/s)", counted(m_run.schedules, "schedule"), m_run.wall_seconds,
                    grouped(static_cast<unsigned long long>(m_run.executions_per_second)));
    if (m_run.pruned != 0) how += fmt::format("; {} cut short as equivalent", grouped(m_run.pruned));
    if (m_run.audited != 0) how += fmt::format("; {} audited", grouped(m_run.audited));
    how += fmt::format("; {}, {}, {}, seed {}", strategy_text(m_run), bound_text(m_run),
                       m_run.heuristic.empty() ? "Basic" : m_run.heuristic, m_run.seed);
    field("explored", how);
    std::string isolation = m_run.control.isolation;
    if (!m_run.control.isolation_reason.empty())
      isolation += fmt::format(" ({})", m_run.control.isolation_reason);
    field("controlled", fmt::format("{}, {}; isolation {}", counted(m_run.control.threads, "thread"),
                                    counted(m_run.control.scheduling_points, "scheduling point"), isolation));
    races();
    if (m_options.quiet) return;
    field("no view into", uninstrumented());
    if (verdict_of(m_run) != Verdict::uncontrolled) {
      field("covered", covered(m_run));
      field("not covered", why_ended(m_run));
      field("left", left_at_the_end(m_run.left));
    }
    gaps();
  }

  void races() {
    if (m_run.promoted == 0) return;
    const std::string rounds = m_run.rounds > 1 ? counted(m_run.rounds, "round") + "; " : "";
    field("races",
          fmt::format("{}{} became {}", rounds, counted(m_run.promoted, "racing access", "racing accesses"),
                      m_run.promoted == 1 ? "a scheduling point" : "scheduling points"));
  }

  // The first few of the modules that are not instrumented.
  std::string uninstrumented() const {
    constexpr std::size_t k_shown = 4;
    const auto& modules = m_run.control.uninstrumented;
    std::string text;
    for (std::size_t i = 0; i < modules.size() && i < k_shown; ++i) {
      text += fmt::format("{}{} ({})", i == 0 ? "" : ", ",
                          std::filesystem::path(modules[i].path).filename().string(),
                          counted(modules[i].operations, "operation"));
    }
    if (modules.size() > k_shown) text += fmt::format(" and {} more", modules.size() - k_shown);
    if (text.empty()) return text;
    const bool all = m_run.schedules <= m_run.control.counted_executions;
    return fmt::format(
        "uninstrumented code: {}{}", text,
        all ? "" : fmt::format(", in the first {} executions", grouped(m_run.control.counted_executions)));
  }

  void gaps() {
    for (const Gap& gap : all_gaps(m_run))
      field(gap.effect == GapEffect::verdict ? "no verdict" : "not covered",
            gap.detail + (gap.remedy.empty() ? "" : "; " + gap.remedy));
  }

  // A name in a column of its own, and the wrapped text next to it.
  void field(const char* name, const std::string& text) {
    constexpr std::size_t k_indent = 15;
    if (text.empty()) return;
    bool first = true;
    for (const std::string& part : wrap(escape_for_terminal(text), m_options.width - k_indent)) {
      m_text += fmt::format("  {:<13}{}\n", first ? name : "", part);
      first = false;
    }
  }

  const TestRun& m_run;
  const TerminalOptions& m_options;
  std::string m_text;
};

} // namespace

std::string run_text(const TestRun& run, const TerminalOptions& options) {
  return RunWriter(run, options).write();
}

std::string outcomes_text(const TestRun& run, const TerminalOptions& options) {
  if (run.outcomes.empty()) return "";
  std::string text =
      fmt::format("{}\n  {:>10}  {:>11}  {:>4}  {:<10}  {}\n", options.style(Tone::strong, "Outcomes"),
                  "executions", "preemptions", "exit", "failure", "standard output");
  constexpr std::size_t k_before_output = 47;
  const std::size_t room = options.width > k_before_output + 10 ? options.width - k_before_output : 10;
  for (const Outcome& outcome : run.outcomes) {
    const std::string output = quote_for_terminal(cut_bytes(outcome.stdout_bytes, k_output_limit));
    text += fmt::format("  {:>10}  {:>11}  {:>4}  {:<10}  {}\n", grouped(outcome.count), outcome.preemptions,
                        outcome.exit ? std::to_string(*outcome.exit) : "-",
                        outcome.failure.empty() ? "-" : outcome.failure,
                        options.verbose ? output : fit(output, room));
  }
  return text;
}

std::string total_text(const std::vector<TestRun>& runs, const TerminalOptions& options) {
  if (runs.size() < 2) return "";
  std::string text;
  for (const VerdictWord& word : k_words) {
    const auto count = std::count_if(runs.begin(), runs.end(),
                                     [&](const TestRun& run) { return verdict_of(run) == word.verdict; });
    if (count > 0)
      text += fmt::format(", {}", options.style(word.tone, fmt::format("{} {}", count, word.in_total)));
  }
  std::vector<Finding> findings;
  for (const TestRun& run : runs) findings.insert(findings.end(), run.findings.begin(), run.findings.end());
  const std::string found = finding_counts(findings);
  return fmt::format("{} tests: {}{}{}\n", runs.size(), text.substr(2), found.empty() ? "" : "; ", found);
}

} // namespace reex
