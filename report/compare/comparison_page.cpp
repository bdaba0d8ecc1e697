#include "report/compare/comparison_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/compare/analysis.h"
#include "report/compare/comparison_json.h"
#include "report/compare/comparison_plots.h"
#include "report/compare/round_figures.h"
#include "report/figures/figures.h"
#include "report/figures/plots.h"
#include "report/html/assets.h"
#include "report/html/html_text.h"
#include "report/html/page_frame.h"
#include "report/text/shell_quote.h"
#include "report/text/text_layout.h"

namespace reex {
namespace {

const char* tone_of(Pays pays) {
  switch (pays) {
  case Pays::yes:
    return "good";
  case Pays::no:
    return "bad";
  default:
    return "even";
  }
}

const char* words_of(const std::string& reduction) {
  if (reduction == "auto") return "With the reduction (the default)";
  return "Without the reduction, as published counts are";
}

std::optional<Estimate> factor_of(const std::optional<Against>& against) {
  return against ? against->factor : std::nullopt;
}

class ComparisonPage {
public:
  explicit ComparisonPage(const Comparison& comparison)
      : m_comparison(comparison), m_findings(analyse(comparison)) {
    for (const char* reduction : {"auto", "none"})
      if (std::any_of(m_findings.rows.begin(), m_findings.rows.end(),
                      [&](const Row& row) { return row.reduction == reduction; }))
        m_reductions.emplace_back(reduction);
  }

  std::string write() {
    const ComparisonVerdict& verdict = m_findings.verdict;
    m_text = page_begin(fmt::format("{} {}", verdict.headline, m_comparison.label), comparison_style());
    add("<header class=\"top\">\n<p class=\"brand\">reex compare</p>\n<h1><span class=\"verdict "
        "{}\">{}</span> {}</h1>\n"
        "<p class=\"lead\">{}</p>\n",
        tone_of(verdict.pays), html(verdict.headline), html(m_comparison.label), html(verdict.text));
    if (m_findings.shallow)
      m_text += "<p class=\"note\">The failure is shallow: random finds it in a median of less than 20 "
                "schedules, so it "
                "tells little about a strategy.</p>\n";
    m_text += "</header>\n<main id=\"main\">\n";
    shown();
    heat();
    boxes();
    survival();
    forest();
    scatter();
    provenance();
    runs();
    m_text += "</main>\n<script type=\"application/json\" id=\"comparison\">" +
              json_for_script(comparison_json(m_comparison)) + "</script>\n";
    return m_text + page_end(m_comparison.version, "");
  }

private:
  template <typename... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(m_text), format, std::forward<Arguments>(arguments)...);
  }

  // The same for each reduction, side by side where there is room.
  template <typename Plot>
  void for_each_reduction(Plot plot) {
    m_text += "<div class=\"beside\">\n";
    for (const std::string& reduction : m_reductions) {
      add("<div>\n<h3>{}</h3>\n", words_of(reduction));
      m_text += plot(reduction) + "</div>\n";
    }
    m_text += "</div>\n";
  }

  void heading(const char* title, const char* text) {
    add("<section>\n<h2>{}</h2>\n<p>{}</p>\n", title, text);
  }

  void shown() {
    if (!m_comparison.shown) return;
    m_text += "<section>\n<h2>The failure</h2>\n" + shown_run_html(*m_comparison.shown, "f") + "</section>\n";
  }

  void heat() {
    heading("Speed-ups", "How many times as many schedules the control needs. Above 1.0 (blue) the strategy "
                         "needs fewer, below "
                         "(orange) more. ≥ and ≤: runs ended without a failure, so only a bound is known.");
    for_each_reduction([&](const std::string& reduction) {
      std::vector<HeatRow> rows;
      for (const Contestant& one : m_comparison.contestants)
        if (const Row* row = row_of(m_findings, one.name, reduction))
          rows.push_back(
              {one.name,
               {row->default_against_basic, factor_of(row->against_basic), factor_of(row->against_random)},
               ""});
      return heat_map("strategy", {"default order", "Basic", "random"}, rows);
    });
    m_text += "<p class=\"quiet\">“default order” compares one run with one of Basic; the others are "
              "geometric means "
              "over the randomized orders, against Basic and against random.</p>\n</section>\n";
  }

  void boxes() {
    heading("Schedules to the failure", "Median, quartiles and extremes over the randomized orders; each run "
                                        "as a dot, the default order as a "
                                        "diamond. Open marks are runs that ended without a failure.");
    for_each_reduction([&](const std::string& reduction) {
      return boxes_of(m_comparison, m_findings, reduction, Norm::none);
    });
    if (has_rounds(m_findings)) rounds();
    m_text += "</section>\n";
  }

  void rounds() {
    m_text += "<h3>In rounds</h3>\n<p>A search that finds a data race begins anew, in a further round, with "
              "the accesses of the race as scheduling points. Above, the schedules of all rounds count; here "
              "beside them those of the round in which the failure was found.</p>\n<div "
              "class=\"scroll\"><table>\n<thead><tr><th scope=\"col\">strategy</th><th "
              "scope=\"col\">reduction</th>";
    for (const char* column : {"default, all rounds", "in its round", "median, all rounds", "in its round"})
      add("<th scope=\"col\" class=\"num\">{}</th>", column);
    m_text += "</tr></thead>\n<tbody>\n";
    for (const Row& row : m_findings.rows) {
      if (!row.in_round) continue;
      add("<tr><th scope=\"row\">{}</th><td>{}</td>", html(row.contestant.name), html(row.reduction));
      for (const std::string& cell : round_cells(row)) add("<td class=\"num\">{}</td>", html(cell));
      m_text += "</tr>\n";
    }
    m_text += "</tbody>\n</table></div>\n";
  }

  void survival() {
    heading(
        "Not found so far",
        "The part of the runs that have not found the failure after so many schedules; lower is better. All "
        "other strategies are thin lines.");
    for_each_reduction(
        [&](const std::string& reduction) { return survival_of(m_comparison, m_findings, reduction); });
    m_text += "</section>\n";
  }

  void forest() {
    heading(
        "Effect size",
        "A12: the probability that a run of the strategy needs fewer schedules than a run of Basic, with its "
        "95 % "
        "interval. Right of the middle (blue): fewer. p: Mann-Whitney, two-sided, adjusted by Holm for the "
        "heuristics.");
    for_each_reduction([&](const std::string& reduction) {
      std::vector<ForestRow> rows;
      for (const Contestant& one : m_comparison.contestants)
        if (const Row* row = row_of(m_findings, one.name, reduction); row != nullptr && row->against_basic) {
          const Against& against = *row->against_basic;
          rows.push_back({one.name, against.a12, against.a12_interval,
                          fmt::format("{:.2f}  p {}", against.a12, p_text(against.p_holm))});
        }
      return forest_plot(rows, ForestScale::probability, "A12 against Basic");
    });
    m_text += "</section>\n";
  }

  void scatter() {
    heading("Schedules and processor time",
            "Each run: what it executed up to the failure, and the processor time of its process with "
            "everything in "
            "it (start, the change from the cache, the failure once more in detail, its reduction).");
    m_text += scatter_of(m_comparison, m_findings, true);
    m_text += "</section>\n";
  }

  void fact(const char* name, const std::string& text) {
    if (!text.empty()) add("<div><dt>{}</dt><dd>{}</dd></div>\n", name, html(text));
  }

  void provenance() {
    m_text += "<section>\n<h2>Where the figures come from</h2>\n<dl class=\"facts\">\n";
    std::vector<std::string> test = {m_comparison.binary};
    test.insert(test.end(), m_comparison.arguments.begin(), m_comparison.arguments.end());
    fact("test", shell_command(test) + (m_comparison.test.empty() ? "" : ", " + m_comparison.test));
    fact("sha256", m_comparison.build.substr(0, 16));
    fact("change", m_comparison.change);
    fact("base", m_comparison.base.substr(0, 12));
    fact("impacted points", grouped(m_comparison.impacted_points));
    fact("options", shell_command(m_comparison.options));
    fact("limits of a run", fmt::format("{} schedules, {:g} s", grouped(m_comparison.schedule_limit),
                                        m_comparison.budget_seconds));
    fact("orders", fmt::format("default and {}", counted(m_comparison.seeds, "randomized one")));
    fact("runs", fmt::format("{} of {}, {} at a time", m_comparison.runs.size(), m_comparison.planned,
                             m_comparison.jobs));
    fact("begun", m_comparison.started);
    fact("machine", fmt::format("{}, {}, {}", m_comparison.machine.system, m_comparison.machine.processor,
                                counted(m_comparison.machine.processors, "processor")));
    fact("analysis of the change",
         fmt::format("once, {:.2f} s of processor time, {} parsed", m_comparison.analysis.processor_seconds,
                     counted(m_comparison.analysis.parsed, "unit")));
    fact("reex", m_comparison.version);
    m_text +=
        "</dl>\n<p class=\"note\">Factors are ratios of geometric means; intervals are percentiles of 2,000 "
        "bootstrap samples with a fixed seed. A run without a failure is censored at what it executed. The "
        "Mann-Whitney test is Gehan's for censored values: counted out for up to 40 runs in both samples, "
        "else "
        "by the normal approximation with ties.</p>\n</section>\n";
  }

  void runs() {
    add("<section>\n<h2>All runs</h2>\n<details class=\"all\"><summary>{}</summary>\n<div "
        "class=\"scroll\"><table>\n<thead><tr><th "
        "scope=\"col\">strategy</th><th scope=\"col\">reduction</th><th scope=\"col\" "
        "class=\"num\">seed</th><th "
        "scope=\"col\" class=\"num\">schedules</th><th scope=\"col\" class=\"num\">cut short</th><th "
        "scope=\"col\" "
        "class=\"num\">cpu s</th><th scope=\"col\">ended</th><th "
        "scope=\"col\">failure</th></tr></thead>\n<tbody>\n",
        counted(m_comparison.runs.size(), "run"));
    for (const RunRecord& run : m_comparison.runs) {
      const FirstFailure* found = found_by(run, m_findings.measured);
      add("<tr><th scope=\"row\">{}</th><td>{}</td><td class=\"num\">{}</td><td class=\"num\">{}</td><td "
          "class=\"num\">{}</td><td class=\"num\">{:.2f}</td><td>{}</td><td>{}</td></tr>\n",
          html(run.id.contestant), html(run.id.reduction), run.id.seed,
          run.judged
              ? html(schedules_text(observation_of(run, m_findings.measured, m_comparison.schedule_limit)))
              : "–",
          grouped(run.pruned), run.processor_seconds, html(run.ended),
          !run.judged        ? "not judged: " + html(run.problem)
          : found == nullptr ? "none"
                             : html(found->kind + ' ' + found->key));
    }
    m_text += "</tbody>\n</table></div>\n</details>\n</section>\n";
  }

  const Comparison& m_comparison;
  Findings m_findings;
  std::vector<std::string> m_reductions;
  std::string m_text;
};

} // namespace

std::string shown_run_html(const ShownRun& shown, const std::string& id) {
  const std::string order = shown.id.seed == 0 ? "default order" : fmt::format("seed {}", shown.id.seed);
  return shown_failure_html(shown.failure, id, fmt::format("as {} finds it, {}", shown.id.contestant, order));
}

std::string comparison_page(const Comparison& comparison) { return ComparisonPage(comparison).write(); }

} // namespace reex
