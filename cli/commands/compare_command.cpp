#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/commands/commands.h"
#include "cli/compare/compare_identity.h"
#include "cli/compare/compare_plan.h"
#include "cli/compare/compare_progress.h"
#include "cli/compare/compare_subject.h"
#include "cli/compare/prepare_comparison.h"
#include "cli/compare/results_file.h"
#include "cli/compare/run_all.h"
#include "cli/native/perturbation.h"
#include "cli/run/terminal_setup.h"
#include "cli/run/write_reports.h"
#include "cli/subject/change.h"
#include "cli/terminal/command_error.h"
#include "cli/terminal/interruption.h"
#include "cli/terminal/output.h"
#include "cli/terminal/waiting.h"
#include "reex/run/sha256.h"
#include "reex/run/version.h"
#include "report/compare/comparison_json.h"
#include "report/compare/comparison_page.h"
#include "report/compare/comparison_text.h"
#include "report/failure_text.h"
#include "report/text/paths.h"
#include "report/text/shell_quote.h"
#include "report/text/text_layout.h"

namespace reex {
namespace {

// Those that are named, and the heuristic that is to be judged.
std::vector<Contestant> contestants_of(const Options& options, const std::string& judged) {
  const bool named = options.by_option.contains("heuristic");
  const std::string list = options.contestants.empty() && named ? "all" : options.contestants;
  std::vector<std::string> names = parse_contestant_names("--contestants", list);
  if (named) names.push_back(judged);
  return contestants_named(names);
}

class Compare {
public:
  explicit Compare(const Invocation& invocation)
      : m_invocation(invocation), m_options(invocation.settings.options),
        m_subject(compare_subject(invocation.line, m_options)),
        m_contestants(contestants_of(m_options, m_subject.judged)),
        m_plan(plan_comparison(m_contestants, m_options.seeds)) {
    const auto all = static_cast<unsigned>(usable_cpus().size());
    m_jobs = m_options.by_option.contains("jobs") ? m_options.jobs : std::max(1U, all);
  }

  ExitStatus execute() {
    watch_for_interruption();
    const std::string folder = make_compare_folder(m_subject, compare_identity(m_subject));
    ResultsFile results(folder, m_options.fresh);
    if (!results.begun()) {
      const Waiting waiting("analysing the change", m_options.quiet);
      results.begin(analyse_change(m_subject, folder));
    }
    const std::size_t made = made_before(results);
    announce(made, results.path());
    CompareProgress progress(m_plan.runs.size(), made, m_options.quiet);
    const RunsEnd end = run_all({m_subject, m_contestants, m_plan, folder, m_jobs}, results, progress);
    progress.finish();
    if (end == RunsEnd::interrupted) return interrupted(made_before(results), results.path());
    if (end == RunsEnd::nothing_found) return nothing_found();
    report(comparison(results));
    return ExitStatus::passed;
  }

private:
  bool is_planned(const RunRecord& run) const {
    return std::find(m_plan.runs.begin(), m_plan.runs.end(), run.id) != m_plan.runs.end();
  }

  std::size_t made_before(const ResultsFile& results) const {
    return static_cast<std::size_t>(std::count_if(results.runs().begin(), results.runs().end(),
                                                  [&](const RunRecord& run) { return is_planned(run); }));
  }

  std::string seconds() const {
    return fmt::format("{:g} s", std::chrono::duration<double>(m_subject.budget).count());
  }

  void announce(std::size_t made, const std::string& path) const {
    if (m_options.quiet) return;
    const std::size_t left = m_plan.runs.size() - made;
    if (made != 0)
      say(fmt::format("{} of {} are in {}", made, counted(m_plan.runs.size(), "run"), shown(path)));
    if (left == 0) return;
    const double longest = std::ceil(static_cast<double>(left) / m_jobs) *
                           std::chrono::duration<double>(m_subject.budget).count();
    say(fmt::format(
        "{} of {}, {} at a time, each up to {} schedules or {}: at most {} of exploration, and less "
        "where failures are found",
        counted(left, "run"), counted(m_contestants.size(), "strategy", "strategies"), m_jobs,
        grouped(m_subject.schedules), seconds(), duration_text(longest)));
  }

  std::string shown(const std::string& path) const {
    return path_within(path, terminal_options(m_options, m_invocation.program).folder);
  }

  std::string same_command() const {
    std::vector<std::string> words = m_invocation.line.words;
    words.erase(std::remove(words.begin(), words.end(), "--fresh"), words.end());
    words.insert(words.begin(), m_invocation.program.empty() ? "reex" : m_invocation.program);
    return shell_command(words);
  }

  ExitStatus interrupted(std::size_t made, const std::string& path) const {
    say(fmt::format("interrupted after {} of {}, which are kept in {}", made,
                    counted(m_plan.runs.size(), "run"), shown(path)));
    say("to go on: " + same_command());
    return ExitStatus::interrupted;
  }

  ExitStatus nothing_found() const {
    say(fmt::format(
        "no strategy has found a failure within {} schedules or {}: there is nothing to compare; give more "
        "with --schedules and --budget, or compare on a change that has a fault",
        grouped(m_subject.schedules), seconds()));
    return ExitStatus::inconclusive;
  }

  Comparison comparison(const ResultsFile& results) const {
    Comparison comparison;
    comparison.version = version();
    comparison.label =
        m_options.label.empty() ? test_title(m_subject.binary, m_subject.test) : m_options.label;
    comparison.binary = m_subject.given;
    comparison.test = m_subject.test;
    comparison.arguments = m_subject.arguments;
    comparison.build = digest_of_file(m_subject.binary);
    comparison.change = change_title(m_options.change);
    comparison.base = m_subject.base;
    comparison.impacted_points = results.head().impacted_points;
    comparison.auto_heuristic = results.head().auto_heuristic;
    comparison.judged = m_subject.judged;
    comparison.options = m_subject.passed_on;
    comparison.seeds = m_options.seeds;
    comparison.schedule_limit = m_subject.schedules;
    comparison.budget_seconds = std::chrono::duration<double>(m_subject.budget).count();
    comparison.jobs = m_jobs;
    comparison.started = results.head().started;
    comparison.machine = this_machine();
    comparison.analysis = results.head().analysis;
    comparison.contestants = m_contestants;
    comparison.planned = m_plan.runs.size();
    for (const RunId& id : m_plan.runs) // in the order of the plan, whichever ended first
      for (const RunRecord& run : results.runs())
        if (run.id == id) comparison.runs.push_back(run);
    choose_shown(comparison);
    return comparison;
  }

  void report(const Comparison& comparison) const {
    if (m_options.format.text)
      print(comparison_text(comparison, terminal_options(m_options, m_invocation.program).style));
    for (const ReportFile& file : m_options.format.files)
      write_report(file.path,
                   file.kind == ReportKind::html ? comparison_page(comparison) : comparison_json(comparison));
  }

  const Invocation& m_invocation;
  const Options& m_options;
  CompareSubject m_subject;
  std::vector<Contestant> m_contestants;
  ComparisonPlan m_plan;
  unsigned m_jobs = 1;
};

} // namespace

ExitStatus compare_command(const Invocation& invocation) {
  const Options& options = invocation.settings.options;
  if (options.evaluation) return evaluation_command(invocation);
  for (const ReportFile& file : options.format.files)
    if (file.kind != ReportKind::json && file.kind != ReportKind::html)
      throw UsageError("a comparison is reported as text, json:PATH and html:PATH: give one of these");
  check_report_paths(options.format);
  return Compare(invocation).execute();
}

} // namespace reex
