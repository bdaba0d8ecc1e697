#include "report/compare/evaluation_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "heuristics/table.h"
#include "report/figures/figures.h"
#include "report/text/text_layout.h"

namespace reex {
namespace {

using Lines = std::vector<DocumentTable::Line>;

const char* const k_basic = "Basic";
constexpr double k_significant = 0.05;

std::string default_text(const Subject& subject, const std::string& contestant,
                         const std::string& reduction) {
  const Row* row = row_of(subject.findings, contestant, reduction);
  return row != nullptr && row->default_order ? schedules_text(*row->default_order) : "–";
}

std::string median_text(const Subject& subject, const std::string& contestant, const std::string& reduction) {
  const Row* row = row_of(subject.findings, contestant, reduction);
  return row != nullptr ? schedules_text(row->median) : "–";
}

// How the test fails, as most of the runs say.
std::string failure_of(const Subject& subject) {
  std::map<std::string, unsigned> kinds;
  for (const RunRecord& run : subject.comparison.runs)
    if (const FirstFailure* found = found_by(run, subject.findings.measured); run.judged && found != nullptr)
      ++kinds[found->kind];
  const auto most = std::max_element(kinds.begin(), kinds.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == kinds.end() ? "–" : most->first;
}

std::string published_text(const std::map<std::string, double>& figures, const std::string& label) {
  const auto figure = figures.find(label);
  return figure == figures.end() ? "–" : grouped(static_cast<unsigned long long>(figure->second));
}

std::string count_text(unsigned count) { return count == 0 ? "–" : grouped(count); }

std::string words_of(const std::string& reduction) {
  return reduction == "none" ? "without the reduction, as the published counts are"
                             : "with the reduction, the default";
}

DocumentTable subjects_table(const Evaluation& evaluation) {
  DocumentTable table{
      "A. The subjects",
      {"Schedules to the failure, in default order and as the median of the randomized orders. A "
       "subject is shallow if random finds its failure in a median of less than 20 schedules. Threads count "
       "the "
       "first one; classes, methods and lines (neither blank nor comments) are those of the subject as it is "
       "here, with its test."},
      {"subject", "fails by", "threads", "threads (published)", "classes", "methods", "lines", "points",
       "points (published)", "Basic (published)", "Basic", "median", "LOA", "median", "Basic, reduced",
       "LOA, reduced", "random", "auto, reduced"},
      {}};
  for (const Subject& subject : evaluation.subjects) {
    const Published published = evaluation.published.value_or(Published());
    const std::string& label = subject.comparison.label;
    const auto known = published.sizes.find(label);
    const SubjectSize size = known == published.sizes.end() ? SubjectSize() : known->second;
    table.lines.push_back(
        {{title_of(subject), failure_of(subject), count_text(threads_of(subject.comparison)),
          published_text(published.threads, label), count_text(size.classes), count_text(size.methods),
          count_text(size.lines), grouped(subject.comparison.impacted_points),
          published_text(published.points, label), published_text(published.basic, label),
          default_text(subject, k_basic, "none"), median_text(subject, k_basic, "none"),
          default_text(subject, "LOA", "none"), median_text(subject, "LOA", "none"),
          default_text(subject, k_basic, "auto"), default_text(subject, "LOA", "auto"),
          median_text(subject, "random", "any"), default_text(subject, "auto", "auto")}});
  }
  return table;
}

void add_mean(Lines& lines, const std::string& name, const std::vector<const Subject*>& subjects,
              const std::string& reduction, Orders orders) {
  DocumentTable::Line line{{fmt::format("geometric mean, {} ({})", name, subjects.size()), "–"}, false, true};
  for (const std::string& heuristic : heuristic_names())
    line.cells.push_back(mean_text(mean_speed_up(subjects, heuristic, reduction, orders)));
  lines.push_back(std::move(line));
}

DocumentTable::Line published_line(const std::string& name, const std::string& basic,
                                   const std::map<std::string, double>& figures) {
  DocumentTable::Line line{{name, basic}, true};
  for (const std::string& heuristic : heuristic_names())
    line.cells.push_back(figures.contains(heuristic) ? factor_text(figures.at(heuristic)) : "–");
  return line;
}

// The speed-ups of a subject. The best are marked, if they are any.
DocumentTable::Line speed_ups_of(const Subject& subject, const std::string& reduction, Orders orders) {
  DocumentTable::Line line{{title_of(subject), orders == Orders::default_order
                                                   ? default_text(subject, k_basic, reduction)
                                                   : median_text(subject, k_basic, reduction)}};
  std::vector<std::optional<Estimate>> factors;
  double best = 1;
  for (const std::string& heuristic : heuristic_names()) {
    factors.push_back(speed_up(subject, heuristic, reduction, orders));
    if (factors.back() && factors.back()->known != Known::unknown)
      best = std::max(best, factors.back()->value);
  }
  for (const std::optional<Estimate>& factor : factors) {
    const bool is_best = factor && factor->known != Known::unknown &&
                         factor_text(factor) == factor_text(best) && factor_text(best) != factor_text(1.0);
    line.cells.push_back(factor_text(factor) + (is_best ? "†" : ""));
  }
  return line;
}

} // namespace

DocumentTable speed_up_table(const Evaluation& evaluation, const std::string& title,
                             const std::string& reduction, Orders orders) {
  DocumentTable table{
      title,
      {fmt::format("How many times as many schedules Basic needs as the heuristic, {}, {}; under Basic "
                   "its schedules{}. †: the best of a line.",
                   orders == Orders::default_order ? "in default order"
                                                   : "geometric means over the randomized orders",
                   words_of(reduction), orders == Orders::default_order ? "" : ", as their median")},
      {"subject", "Basic"},
      {}};
  const bool beneath = evaluation.published && reduction == "none" && orders == Orders::default_order;
  if (beneath) table.text.push_back(fmt::format("Beneath, in italics: {}.", evaluation.published->source));
  for (const std::string& heuristic : heuristic_names()) table.columns.push_back(heuristic);
  for (const Subject& subject : evaluation.subjects) {
    table.lines.push_back(speed_ups_of(subject, reduction, orders));
    if (beneath && evaluation.published->speed_ups.contains(subject.comparison.label))
      table.lines.push_back(
          published_line("published", published_text(evaluation.published->basic, subject.comparison.label),
                         evaluation.published->speed_ups.at(subject.comparison.label)));
  }
  add_mean(table.lines, "all", all_of(evaluation), reduction, orders);
  add_mean(table.lines, "deep", deep_of(evaluation), reduction, orders);
  if (!evaluation.published) return table;
  add_mean(table.lines, "those with published figures", published_of(evaluation), reduction, orders);
  if (beneath)
    table.lines.push_back(
        published_line("published geometric mean", "–", evaluation.published->geometric_means));
  return table;
}

namespace {

DocumentTable modes_table(const Evaluation& evaluation) {
  DocumentTable table{
      "C. By what is matched, and by all or some",
      {"Geometric means of the speed-ups over all subjects: how a mode of matching does when all "
       "enabled threads have to match, and when some do."},
      {"matches", "all: default order", "some: default order", "all: randomized", "some: randomized",
       "all: reduced, randomized", "some: reduced, randomized"},
      {}};
  const auto subjects = all_of(evaluation);
  std::map<std::uint8_t, std::map<PrioritizationMode, std::string>> modes;
  std::vector<std::uint8_t> order;
  for (const Heuristic& row : heuristics()) {
    if (row.mask == 0) continue;
    if (!modes.contains(row.mask)) order.push_back(row.mask);
    modes[row.mask][row.mode] = row.name;
  }
  for (const std::uint8_t mask : order) {
    const std::string all = modes[mask][PrioritizationMode::all];
    const std::string some = modes[mask][PrioritizationMode::some];
    DocumentTable::Line line{{all.substr(0, all.size() - 1)}};
    for (const auto& [reduction, orders] : {std::pair{"none", Orders::default_order},
                                            {"none", Orders::randomized},
                                            {"auto", Orders::randomized}})
      for (const std::string& heuristic : {all, some})
        line.cells.push_back(mean_text(mean_speed_up(subjects, heuristic, reduction, orders)));
    table.lines.push_back(std::move(line));
  }
  return table;
}

std::optional<Estimate> against_random(const Subject& subject, const std::string& contestant) {
  const Row* row = row_of(subject.findings, contestant, "auto");
  return row != nullptr && row->against_random ? row->against_random->factor : std::nullopt;
}

DocumentTable controls_table(const Evaluation& evaluation) {
  DocumentTable table{
      "D. Against random",
      {"How many times as many schedules random needs (geometric means over the orders and seeds), "
       "with the reduction. Below 1, plain random is better."},
      {"subject", "Basic", "LOA", "auto", "pos", "pct", "surw"},
      {}};
  for (const Subject& subject : evaluation.subjects) {
    DocumentTable::Line line{{title_of(subject)}};
    for (std::size_t i = 1; i < table.columns.size(); ++i)
      line.cells.push_back(factor_text(against_random(subject, table.columns[i])));
    table.lines.push_back(std::move(line));
  }
  return table;
}

double mean_of(const Sample& sample) {
  double sum = 0;
  for (const Observation& one : sample) sum += one.value;
  return sum / static_cast<double>(sample.size());
}

// With few orders no test can say anything, and the reader should know it.
std::string power_text(const Evaluation& evaluation) {
  unsigned orders = 0;
  for (const Subject& subject : evaluation.subjects) orders = std::max(orders, subject.comparison.seeds);
  double divisions = 1;
  for (unsigned i = 1; i <= orders; ++i) divisions *= static_cast<double>(orders + i) / i;
  const double least = std::min(1.0, 2 / divisions * static_cast<double>(evaluation.subjects.size()));
  return fmt::format("With {} the least adjusted p is {}{}.", counted(orders, "order"), p_text(least),
                     least < k_significant ? "" : ", so no test can say anything here");
}

DocumentTable effects_table(const Evaluation& evaluation, const std::string& title,
                            const std::string& control, ControlFactor against) {
  DocumentTable table{
      title,
      {fmt::format(
           "A12 against {} over the randomized orders: the probability that a run of the heuristic needs "
           "fewer schedules, as the mean over the subjects with its 95 % interval (bootstrap over the "
           "subjects). Better, worse: subjects where the two-sided Mann-Whitney test, adjusted by Holm for "
           "all subjects, is below 0.05.",
           control),
       power_text(evaluation)},
      {"heuristic", "A12", "95 %", "better", "worse", "A12, reduced", "95 %", "better", "worse"},
      {}};
  for (const std::string& heuristic : heuristic_names()) {
    DocumentTable::Line line{{heuristic}};
    for (const char* reduction : {"none", "auto"}) {
      const std::optional<Effect> effect = effect_of(evaluation, heuristic, reduction, against);
      if (!effect) {
        line.cells.insert(line.cells.end(), {"–", "–", "–", "–"});
        continue;
      }
      line.cells.insert(line.cells.end(),
                        {fmt::format("{:.2f}", effect->a12), a12_interval_text(effect->interval),
                         std::to_string(effect->better), std::to_string(effect->worse)});
    }
    table.lines.push_back(std::move(line));
  }
  return table;
}

std::string processor_text(const Subject& subject, const std::string& contestant) {
  Sample seconds;
  for (const RunRecord& run : subject.comparison.runs)
    if (run.judged && run.id.contestant == contestant && run.id.reduction != "none" &&
        run.id.reduction != k_cost_run)
      seconds.push_back({run.processor_seconds});
  const auto median = quantile(seconds, 0.5);
  return median ? fmt::format("{:.2f}", median->value) : "–";
}

std::string speed_text(const Row* row) {
  return row == nullptr || row->schedules_per_second <= 0
             ? "–"
             : grouped(static_cast<unsigned long long>(row->schedules_per_second));
}

DocumentTable costs_table(const Evaluation& evaluation) {
  DocumentTable table{
      "F. Costs",
      {"Processor time, in seconds: the analysis of the change, once, without its cache; and the median "
       "run with the reduction, with all that is in it (its start, the change from the cache, the "
       "failure again in detail, its reduction). Schedules per second: of one run without reduction "
       "that goes on after failures, up to 2,000 schedules, in time on the clock, with other runs beside. "
       "Matching makes LOA slower than Basic; where a search has fewer schedules than these, its start "
       "takes most of the time, and the figures tell nothing of matching."},
      {"subject", "analysis", "run of Basic", "run of LOA", "run of random", "schedules/s, Basic",
       "schedules/s, LOA", "schedules/s, random", "not found", "not judged"},
      {}};
  for (const Subject& subject : evaluation.subjects) {
    std::uint64_t not_found = 0;
    std::uint64_t not_judged = 0;
    std::uint64_t judged = 0;
    for (const Row& row : subject.findings.rows) {
      judged += row.seeds.size() + (row.default_order ? 1 : 0);
      not_found += row.not_found;
      not_judged += row.not_judged;
    }
    table.lines.push_back(
        {{title_of(subject), fmt::format("{:.2f}", subject.comparison.analysis.processor_seconds),
          processor_text(subject, k_basic), processor_text(subject, "LOA"), processor_text(subject, "random"),
          speed_text(row_of(subject.findings, k_basic, "none")),
          speed_text(row_of(subject.findings, "LOA", "none")),
          speed_text(row_of(subject.findings, "random", "any")), fmt::format("{} of {}", not_found, judged),
          std::to_string(not_judged)}});
  }
  return table;
}

} // namespace

std::string a12_interval_text(const std::optional<Interval>& interval) {
  return interval ? fmt::format("{:.2f} to {:.2f}", interval->low, interval->high) : "–";
}

std::optional<Effect> effect_of(const Evaluation& evaluation, const std::string& heuristic,
                                const std::string& reduction, ControlFactor control) {
  Sample effects;
  std::vector<double> p_values;
  for (const Subject& subject : evaluation.subjects) {
    const Row* row = row_of(subject.findings, heuristic, reduction);
    if (row == nullptr || !(row->*control)) continue;
    effects.push_back({(row->*control)->a12});
    p_values.push_back((row->*control)->test.p);
  }
  if (effects.empty()) return std::nullopt;
  Effect effect{mean_of(effects), bootstrap({effects}, [](const std::vector<Sample>& drawn) {
                  return std::optional(mean_of(drawn[0]));
                })};
  const std::vector<double> adjusted = holm(p_values);
  for (std::size_t i = 0; i < adjusted.size(); ++i)
    if (adjusted[i] < k_significant) ++(effects[i].value > 0.5 ? effect.better : effect.worse);
  return effect;
}

std::vector<DocumentTable> evaluation_tables(const Evaluation& evaluation) {
  std::vector<DocumentTable> tables = {
      subjects_table(evaluation),
      speed_up_table(evaluation, "B1. Speed-ups, default order", "none", Orders::default_order),
      speed_up_table(evaluation, "B2. Speed-ups, randomized orders", "none", Orders::randomized),
      speed_up_table(evaluation, "B3. Speed-ups with the reduction, default order", "auto",
                     Orders::default_order),
      speed_up_table(evaluation, "B4. Speed-ups with the reduction, randomized orders", "auto",
                     Orders::randomized),
      modes_table(evaluation),
      controls_table(evaluation),
      effects_table(evaluation, "E1. Effect sizes and tests, against Basic", "Basic", &Row::against_basic),
      effects_table(evaluation, "E2. Effect sizes and tests, against random", "random", &Row::against_random),
      costs_table(evaluation)};
  for (DocumentTable& table : rounds_tables(evaluation))
    tables.insert(tables.begin() + 1, std::move(table)); // behind A
  if (evaluation.published) tables.push_back(differences_table(evaluation));
  for (DocumentTable& table : regression_tables(evaluation)) tables.push_back(std::move(table));
  tables.push_back(layers_table(evaluation));
  return tables;
}

} // namespace reex
