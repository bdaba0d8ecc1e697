#include "report/terminal.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <utility>

#include "report/document/imunit_text.h"
#include "report/document/run_words.h"
#include "report/failure_text.h"
#include "report/finding_text.h"
#include "report/text/bytes_text.h"
#include "report/text/left_text.h"
#include "report/text/text_layout.h"

namespace reex {
namespace {

class RunWriter {
public:
  RunWriter(const TestRun& run, const TerminalOptions& options, ToldLines* told)
      : m_run(run), m_options(options), m_told(told) {}

  std::string write() {
    const VerdictWord& word = word_of(verdict_of(m_run));
    m_text =
        fmt::format("{} {}: {}\n", m_options.style(word.tone, word.heading),
                    m_options.style(Tone::strong, test_title(m_run.binary, m_run.name)), headline(m_run));
    if (!failing_finding_counts(m_run.failures).empty()) field("no failure", finding_counts(m_run.findings));
    const bool stuck = m_run.imunit && m_run.imunit->stuck != 0;
    if (m_run.schedules > 0 || m_run.control.scheduling_points > 0 || stuck)
      facts();
    else if (verdict_of(m_run) == Verdict::inconclusive && !m_options.quiet)
      gaps();
    if (!m_options.quiet) {
      std::size_t repeated = 0;
      for (const std::string& note : m_run.notes)
        if (is_new(note))
          field("note", note);
        else
          ++repeated;
      if (repeated != 0) field("note", fmt::format("{} as above", counted(repeated, "note")));
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
    if (!m_run.control.isolation_reason.empty() && !m_options.quiet)
      isolation += fmt::format(" ({})", m_run.control.isolation_reason);
    field("controlled", fmt::format("{}, {}; isolation {}", counted(m_run.control.threads, "thread"),
                                    counted(m_run.control.scheduling_points, "scheduling point"), isolation));
    if (m_run.imunit) field("schedule", imunit_text(*m_run.imunit, m_run));
    races();
    if (m_options.quiet) {
      uncounted();
      return;
    }
    if (!are_named(m_run.control.uninstrumented)) field("no view into", uninstrumented_text(m_run));
    if (verdict_of(m_run) != Verdict::uncontrolled) {
      field("covered", covered(m_run));
      field("not covered", why_ended(m_run));
      field("left", left_at_the_end(m_run.left));
    }
    gaps();
  }

  // Whether gaps name all of them, and say what to do.
  bool are_named(const std::vector<UninstrumentedModule>& modules) const {
    return std::all_of(modules.begin(), modules.end(), [&](const UninstrumentedModule& module) {
      const std::string name = std::filesystem::path(module.path).filename().string();
      return std::any_of(m_run.gaps.begin(), m_run.gaps.end(), [&](const Gap& gap) {
        return gap.kind == "unseen-code" && gap.detail.find(name) != std::string::npos;
      });
    });
  }

  void races() {
    if (m_run.promoted == 0) return;
    const std::string rounds = m_run.rounds > 1 ? counted(m_run.rounds, "round") + "; " : "";
    field("races",
          fmt::format("{}{} became {}", rounds, counted(m_run.promoted, "racing access", "racing accesses"),
                      m_run.promoted == 1 ? "a scheduling point" : "scheduling points"));
  }

  // Findings are not shown where the text is short. That they may be failures is told all the same.
  void uncounted() {
    for (const Finding& finding : m_run.findings)
      if (finding.may_be_ordered) {
        field("no failure", finding.reason);
        return;
      }
  }

  void gaps() {
    std::size_t repeated = 0;
    for (const Gap& gap : all_gaps(m_run)) {
      const std::string text = gap.detail + (gap.remedy.empty() ? "" : "; " + gap.remedy);
      if (gap.effect == GapEffect::verdict)
        field("no verdict", text);
      else if (is_new(text))
        field("not covered", text);
      else
        ++repeated;
    }
    if (repeated != 0) field("not covered", counted(repeated, "thing") + " named above");
  }

  bool is_new(const std::string& text) { return m_told == nullptr || m_told->insert(text).second; }

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
  ToldLines* m_told;
  std::string m_text;
};

// Without an error, there was nothing to explore.
bool is_threadless(const TestRun& run) {
  const bool harmless = run.error.kind == ErrorKind::none || run.error.kind == ErrorKind::no_threads;
  return harmless && verdict_of(run) == Verdict::uncontrolled;
}

std::string list_of_tests(const std::vector<TestRun>& runs, const TerminalOptions& options,
                          const char* heading, const char* why,
                          const std::function<bool(const TestRun&)>& is_one) {
  constexpr std::size_t k_shown = 10;
  std::vector<std::string> names;
  for (const TestRun& run : runs)
    if (is_one(run)) names.push_back(test_title(run.binary, run.name));
  if (names.empty()) return "";
  std::string text =
      fmt::format("{} {}: {}\n", options.style(Tone::strong, heading), counted(names.size(), "test"), why);
  if (options.quiet) return text;
  const std::size_t shown = options.verbose || names.size() <= k_shown + 1 ? names.size() : k_shown;
  for (std::size_t i = 0; i < shown; ++i) text += fmt::format("  {}\n", names[i]);
  if (shown < names.size()) text += fmt::format("  and {} more (-v shows them)\n", names.size() - shown);
  return text;
}

} // namespace

std::string run_text(const TestRun& run, const TerminalOptions& options, ToldLines* told) {
  return RunWriter(run, options, told).write();
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

std::string skipped_text(const std::vector<std::string>& skipped, const TerminalOptions& options) {
  if (skipped.empty()) return "";
  std::string text = fmt::format("{} {}: nothing that the change has an impact on can be reached\n",
                                 options.style(Tone::strong, "SKIPPED"), counted(skipped.size(), "test"));
  for (const std::string& name : skipped) text += fmt::format("  {}\n", name);
  return text;
}

bool is_told_at_the_end(const TestRun& run, const TerminalOptions& options) {
  return run.ended == EndReason::not_begun || (!options.verbose && is_threadless(run));
}

std::string unexplored_text(const std::vector<TestRun>& runs, const TerminalOptions& options) {
  std::string text;
  if (!options.verbose)
    text += list_of_tests(runs, options, "NOT EXPLORED", "no second thread or no scheduling point was seen",
                          is_threadless);
  return text + list_of_tests(runs, options, "NOT BEGUN", "the budget ended before",
                              [](const TestRun& run) { return run.ended == EndReason::not_begun; });
}

std::string total_text(const std::vector<TestRun>& runs, const TerminalOptions& options) {
  if (runs.size() < 2) return "";
  std::string text;
  for (const VerdictWord& word : verdict_words()) {
    const auto count = std::count_if(runs.begin(), runs.end(), [&](const TestRun& run) {
      return verdict_of(run) == word.verdict && run.ended != EndReason::not_begun;
    });
    if (count > 0)
      text += fmt::format(", {}", options.style(word.tone, fmt::format("{} {}", count, word.in_total)));
  }
  const auto unbegun = std::count_if(runs.begin(), runs.end(),
                                     [](const TestRun& run) { return run.ended == EndReason::not_begun; });
  if (unbegun > 0)
    text += fmt::format(", {}", options.style(Tone::doubtful, fmt::format("{} not begun", unbegun)));
  std::vector<Finding> findings;
  for (const TestRun& run : runs) findings.insert(findings.end(), run.findings.begin(), run.findings.end());
  const std::string found = finding_counts(findings);
  return fmt::format("{} tests: {}{}{}\n", runs.size(), text.substr(2), found.empty() ? "" : "; ", found);
}

} // namespace reex
