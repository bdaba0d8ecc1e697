#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "heuristics/table.h"
#include "report/compare/evaluation_report.h"
#include "report/compare/evaluation_tables.h"
#include "report/figures/figures.h"
#include "report/text/shell_quote.h"
#include "report/text/text_layout.h"

namespace reex {
namespace {

// The factors of a heuristic or strategy against a control, of the subjects where one is known.
struct Factors {
  Sample all;
  MeanFactor mean;
};

Factors factors_of(const std::vector<const Subject*>& subjects, std::string_view name,
                   ControlFactor control) {
  Sample all;
  std::vector<std::optional<Estimate>> known;
  for (const Subject* subject : subjects) {
    const Row* row = row_of(subject->findings, std::string(name), "auto");
    if (row == nullptr || !(row->*control) || !(row->*control)->factor) continue;
    known.push_back((row->*control)->factor);
    if (known.back()->known != Known::unknown) all.push_back({known.back()->value});
  }
  return {all, mean_of(known)};
}

std::optional<double> mean_of_drawn(const std::vector<Sample>& drawn) {
  return geometric_mean(drawn[0])->value;
}

// A bound holds in its direction only.
std::string side_text(const Factors& factors) {
  if (factors.all.size() < 2) return "not enough subjects";
  const Interval interval = *bootstrap({factors.all}, mean_of_drawn);
  const bool above = interval.low > 1;
  const bool below = interval.high < 1;
  const bool is_open = above ? factors.mean.some_at_most : factors.mean.some_at_least;
  const char* judgement = !above && !below ? "not distinguishable"
                          : is_open        ? "left open by runs that found nothing"
                          : above          ? "it pays"
                                           : "it does not pay";
  return fmt::format("{} ({}): {}", mean_text(factors.mean), interval_text(interval), judgement);
}

// The distinct values of all comparisons, in their order.
template <typename Value>
std::string distinct(const Evaluation& evaluation, Value value) {
  std::vector<std::string> values;
  for (const Subject& subject : evaluation.subjects) {
    std::string one = value(subject.comparison);
    if (std::find(values.begin(), values.end(), one) == values.end()) values.push_back(std::move(one));
  }
  std::string text;
  for (const std::string& one : values) text += (text.empty() ? "" : "; ") + one;
  return text;
}

} // namespace

DocumentTable verdict_table(const Evaluation& evaluation) {
  DocumentTable table{
      .title = "Does it pay to go by the change?",
      .text =
          {"How many times as many schedules Basic and random need, with the reduction: geometric means over "
           "randomized orders and subjects, with 95 % intervals over the subjects."},
      .columns = {"", "Basic", "random"},
      .lines = {}};
  const auto add = [&](std::string_view name, const std::string& what,
                       const std::vector<const Subject*>& subjects) {
    if (!subjects.empty())
      table.lines.push_back({{what, side_text(factors_of(subjects, name, &Row::against_basic)),
                              side_text(factors_of(subjects, name, &Row::against_random))}});
  };
  const Evaluation own{evaluation.regressions, {}, std::nullopt, ""};
  std::vector<const Subject*> deep = deep_of(evaluation);
  for (const Subject* one : deep_of(own)) deep.push_back(one);
  for (const auto& [name, kind] :
       {std::pair{std::string_view("auto"), "strategy"}, std::pair{default_heuristic().name, "heuristic"}}) {
    const std::string who = fmt::format("{}, the default {}, on ", name, kind);
    add(name, who + counted(evaluation.regressions.size(), "regression") + " of public libraries",
        all_of(own));
    add(name, who + counted(evaluation.subjects.size(), "subject"), all_of(evaluation));
    add(name, who + fmt::format("the {} of these that are deep", deep.size()), deep);
  }
  return table;
}

std::string evaluation_text(const Evaluation& evaluation) {
  std::string text;
  for (const DocumentTable::Line& line : verdict_table(evaluation).lines)
    text += fmt::format("{}: schedules of Basic over its own {}; of random {}\n", line.cells[0],
                        line.cells[1], line.cells[2]);
  return text;
}

std::vector<std::string> evaluation_provenance(const Evaluation& evaluation) {
  std::vector<std::string> lines = {
      "reex " + distinct(evaluation, [](const Comparison& one) { return one.version; }),
      "Limits of a run: " + distinct(evaluation,
                                     [](const Comparison& one) {
                                       return fmt::format("{} schedules, {:g} s", grouped(one.schedule_limit),
                                                          one.budget_seconds);
                                     }),
      "Orders: default and " +
          distinct(evaluation, [](const Comparison& one) { return counted(one.seeds, "randomized one"); }),
      "Machine: " + distinct(evaluation,
                             [](const Comparison& one) {
                               return fmt::format("{}, {}, {}", one.machine.system, one.machine.processor,
                                                  counted(one.machine.processors, "processor"));
                             }),
      "Runs at a time: " +
          distinct(evaluation, [](const Comparison& one) { return std::to_string(one.jobs); }),
      "Begun: " + distinct(evaluation, [](const Comparison& one) { return one.started.substr(0, 10); })};
  std::size_t runs = 0;
  for (const auto* subjects : {&evaluation.subjects, &evaluation.regressions})
    for (const Subject& subject : *subjects) runs += subject.comparison.runs.size();
  lines.push_back("Runs: " + grouped(runs));
  for (const Subject& subject : evaluation.subjects)
    for (const RunRecord& run : subject.comparison.runs)
      if (!run.judged)
        lines.push_back(fmt::format("Not judged, and not counted: {} {} {} seed {} (status {}): {}",
                                    subject.comparison.label, run.id.contestant, run.id.reduction,
                                    run.id.seed, run.status, run.problem));
  return lines;
}

} // namespace reex
