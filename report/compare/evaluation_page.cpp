#include <fmt/format.h>

#include <cmath>

#include "report/compare/comparison_json.h"
#include "report/compare/comparison_page.h"
#include "report/compare/comparison_plots.h"
#include "report/compare/evaluation_report.h"
#include "report/compare/evaluation_tables.h"
#include "report/figures/figures.h"
#include "report/figures/plots.h"
#include "report/html/assets.h"
#include "report/html/html_text.h"
#include "report/html/page_frame.h"
#include "report/text/text_layout.h"

namespace reex {
namespace {

std::string heat_of(const Evaluation& evaluation, const std::string& reduction, Orders orders) {
  std::vector<HeatRow> rows;
  for (const Subject& subject : evaluation.subjects) {
    HeatRow row{subject.comparison.label, {}, subject.findings.shallow ? "shallow" : ""};
    for (const std::string& heuristic : heuristic_names())
      row.factors.push_back(speed_up(subject, heuristic, reduction, orders));
    rows.push_back(std::move(row));
  }
  return heat_map("subject", heuristic_names(), rows);
}

// One line for each heuristic: the geometric mean over the subjects.
std::string forest_of(const Evaluation& evaluation, const std::string& reduction) {
  std::vector<ForestRow> rows;
  for (const std::string& heuristic : heuristic_names()) {
    Sample factors;
    for (const Subject* subject : all_of(evaluation))
      if (const auto factor = speed_up(*subject, heuristic, reduction, Orders::randomized);
          factor && factor->known != Known::unknown)
        factors.push_back({factor->value});
    if (factors.empty()) continue;
    const auto interval = bootstrap({factors}, [](const std::vector<Sample>& drawn) {
      return std::optional(geometric_mean(drawn[0])->value);
    });
    const MeanFactor mean = mean_speed_up(all_of(evaluation), heuristic, reduction, Orders::randomized);
    rows.push_back({heuristic, mean.value, interval, mean_text(mean) + ", " + interval_text(interval)});
  }
  return rows.empty() ? "" : forest_plot(rows, ForestScale::factor, "speed-up over Basic, logarithmic");
}

// One line for each heuristic: A12 over the subjects.
std::string effects_of(const Evaluation& evaluation, const std::string& reduction, ControlFactor control,
                       const std::string& name) {
  std::vector<ForestRow> rows;
  for (const std::string& heuristic : heuristic_names())
    if (const std::optional<Effect> effect = effect_of(evaluation, heuristic, reduction, control))
      rows.push_back({heuristic, effect->a12, effect->interval,
                      fmt::format("{:.2f}, {}", effect->a12, a12_interval_text(effect->interval))});
  return rows.empty() ? "" : forest_plot(rows, ForestScale::probability, "A12 against " + name);
}

std::string effects_html(const Evaluation& evaluation) {
  std::string text = "<section>\n<h2>Effect sizes</h2>\n<p>A12 with the reduction, over all subjects with 95 "
                     "% intervals: the "
                     "probability that a run of the heuristic needs fewer schedules than one of the control. "
                     "Right of the middle "
                     "(blue): fewer.</p>\n<div class=\"beside\">\n";
  for (const auto& [name, control] : {std::pair<const char*, ControlFactor>{"Basic", &Row::against_basic},
                                      {"random", &Row::against_random}})
    text += fmt::format("<div>\n<h3>Against {}</h3>\n{}</div>\n", name,
                        effects_of(evaluation, "auto", control, name));
  return text + "</div>\n</section>\n";
}

// The failing interleaving of each test, with the diff beside it. `prefix` begins their ids.
std::string failures_html(const std::vector<Subject>& subjects, const char* title, const char* prefix) {
  std::string text;
  for (std::size_t i = 0; i < subjects.size(); ++i)
    if (const auto& shown = subjects[i].comparison.shown)
      text += fmt::format("<details><summary>{}: {}</summary>\n{}</details>\n", html(title_of(subjects[i])),
                          html(shown->failure.interleaving.kind),
                          shown_run_html(*shown, fmt::format("{}{}", prefix, i)));
  if (text.empty()) return "";
  return fmt::format(
      "<section>\n<h2>{}</h2>\n<p>One failing interleaving of each, with the changed lines that "
      "took part: that of Basic in default order, or of the first strategy that failed.</p>\n{}"
      "</section>\n",
      title, text);
}

// Each test can be opened.
std::string runs_html(const std::vector<Subject>& subjects, const char* title) {
  if (subjects.empty()) return "";
  std::string text = fmt::format("<section>\n<h2>{}</h2>\n<p>Schedules to the failure, divided by the median "
                                 "of Basic: median, quartiles and "
                                 "extremes over the randomized orders, runs as dots, the default order "
                                 "as a diamond. Then the part of "
                                 "the runs that has not found the failure after so many schedules; and "
                                 "schedules against processor time. Open "
                                 "marks are runs that ended without a failure.</p>\n",
                                 title);
  for (const Subject& subject : subjects) {
    text += fmt::format("<details><summary>{}</summary>\n<div class=\"beside\">\n", html(title_of(subject)));
    for (const auto& [words, reduction] :
         {std::pair{"With the reduction", "auto"}, {"Without the reduction", "none"}})
      text += fmt::format("<div>\n<h3>{}</h3>\n{}{}</div>\n", words,
                          boxes_of(subject.comparison, subject.findings, reduction, Norm::basic),
                          survival_of(subject.comparison, subject.findings, reduction));
    text += "</div>\n" + scatter_of(subject.comparison, subject.findings, false) + "</details>\n";
  }
  return text + "</section>\n";
}

std::string table_html(const DocumentTable& table) {
  std::string text = fmt::format("<section>\n<h2>{}</h2>\n", html(table.title));
  for (const std::string& one : table.text) text += "<p>" + html(one) + "</p>\n";
  text += "<div class=\"scroll\"><table>\n<thead><tr>";
  const auto is_words = [&](std::size_t i) { return table.ends_in_words && i + 1 == table.columns.size(); };
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    text += fmt::format("<th scope=\"col\"{}>{}</th>", i == 0 || is_words(i) ? "" : " class=\"num\"",
                        html(table.columns[i]));
  text += "</tr></thead>\n<tbody>\n";
  for (const DocumentTable::Line& line : table.lines) {
    text += line.total ? "<tr class=\"total\">" : line.published ? "<tr class=\"published\">" : "<tr>";
    for (std::size_t i = 0; i < line.cells.size(); ++i)
      text += i == 0 ? "<th scope=\"row\">" + html(line.cells[i]) + "</th>"
                     : (is_words(i) ? "<td>" : "<td class=\"num\">") + html(line.cells[i]) + "</td>";
    text += "</tr>\n";
  }
  return text + "</tbody>\n</table></div>\n</section>\n";
}

} // namespace

std::string evaluation_page(const Evaluation& evaluation) {
  std::string text = page_begin("Evaluation", comparison_style());
  const std::string version =
      evaluation.subjects.empty() ? "" : evaluation.subjects.front().comparison.version;
  text +=
      "<header class=\"top\">\n<p class=\"brand\">reex compare --evaluation</p>\n<h1>Evaluation</h1>\n<ul "
      "class=\"lead\">\n";
  if (!evaluation.command.empty()) text += "<p><code>" + html(evaluation.command) + "</code></p>\n";
  text += "</header>\n<main id=\"main\">\n" + table_html(verdict_table(evaluation));
  for (const auto& [title, reduction] :
       {std::pair{"Speed-ups, all schedules", "none"}, {"Speed-ups with the reduction", "auto"}}) {
    text += fmt::format(
        "<section>\n<h2>{}</h2>\n<p>How many times as many schedules Basic needs. Above 1.0 (blue) the "
        "heuristic needs fewer, below (orange) more.</p>\n<h3>Default order</h3>\n",
        title);
    text += heat_of(evaluation, reduction, Orders::default_order);
    text += "<h3>Randomized orders</h3>\n" + heat_of(evaluation, reduction, Orders::randomized);
    text +=
        "<h3>Over all subjects, randomized orders</h3>\n" + forest_of(evaluation, reduction) + "</section>\n";
  }
  text += effects_html(evaluation) + runs_html(evaluation.subjects, "The runs of each subject") +
          runs_html(evaluation.regressions, "The runs of each regression") +
          failures_html(evaluation.subjects, "The failure of each subject", "s") +
          failures_html(evaluation.regressions, "The failure of each regression", "r");
  for (const DocumentTable& table : evaluation_tables(evaluation)) text += table_html(table);
  text += "<section>\n<h2>Provenance</h2>\n<ul>\n";
  for (const std::string& line : evaluation_provenance(evaluation)) text += "<li>" + html(line) + "</li>\n";
  text += "</ul>\n<p class=\"note\">All runs are in this file, as the JSON of the element "
          "<code>#evaluation</code>.</p>\n</section>\n</main>\n<script type=\"application/json\" "
          "id=\"evaluation\">" +
          json_for_script(evaluation_json(evaluation)) + "</script>\n";
  return text + page_end(version, "");
}

} // namespace reex
