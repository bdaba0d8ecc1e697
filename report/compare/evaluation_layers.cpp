// I: the layers of heuristic auto, each by itself and each left out, and what a strategy by the change could
// gain. What was not run is computed from the runs of the heuristics, each seed by itself: heuristics that
// take turns, a schedule each, have found the failure when the first of them has. They share nothing of what
// they have seen, which a search of several heuristics does.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/compare/evaluation_tables.h"
#include "report/figures/figures.h"

namespace reex {
namespace {

using Names = std::vector<std::string>;

// What a and c go by without b.
const Names k_all = {"LA", "FA", "FS"};

const Sample* seeds_of(const Subject& subject, const std::string& name) {
  const Row* row = row_of(subject.findings, name, "auto");
  return row == nullptr || row->seeds.empty() ? nullptr : &row->seeds;
}

// The runs in turns; empty if one of the heuristics has not the same seeds.
Sample in_turns(const Subject& subject, const Names& names) {
  Sample turns;
  for (std::size_t seed = 0;; ++seed) {
    Observation best{std::numeric_limits<double>::max(), true};
    for (std::size_t i = 0; i < names.size(); ++i) {
      const Sample* own = seeds_of(subject, names[i]);
      if (own == nullptr) return {};
      if (seed == own->size()) return turns;
      const Observation& one = (*own)[seed];
      const double at = (one.value - 1) * static_cast<double>(names.size()) + static_cast<double>(i) + 1;
      if (best.censored ? !one.censored || at < best.value : !one.censored && at < best.value)
        best = {at, one.censored};
    }
    turns.push_back(best);
  }
}

// Whether the heuristic needs as many schedules as Basic with every seed: its first execution shows that.
bool is_as_basic(const Subject& subject, const std::string& name) {
  const Sample* own = seeds_of(subject, name);
  const Sample* basic = seeds_of(subject, "Basic");
  return own != nullptr && basic != nullptr &&
         std::equal(own->begin(), own->end(), basic->begin(), basic->end(),
                    [](const Observation& a, const Observation& b) { return a.value == b.value; });
}

Names of_use(const Subject& subject, const Names& names) {
  Names kept;
  for (const std::string& name : names)
    if (!is_as_basic(subject, name)) kept.push_back(name);
  return kept.empty() ? Names{"Basic"} : kept;
}

// The first of those that heuristic auto goes by: what the change alone suggests.
Names first_chosen(const Subject& subject) {
  const std::string& names = subject.comparison.auto_heuristic;
  return {names.substr(0, names.find('+'))};
}

Names first_of(Names names) {
  names.resize(1);
  return names;
}

Sample best_of_all(const Subject& subject) {
  Sample best;
  double least = std::numeric_limits<double>::max();
  for (const std::string& name : heuristic_names()) {
    const Sample* own = seeds_of(subject, name);
    const auto mean = own == nullptr ? std::nullopt : geometric_mean(*own);
    if (!mean || mean->value >= least) continue;
    least = mean->value;
    best = *own;
  }
  return best;
}

Sample sample_of(const Subject& subject, const std::string& name) {
  const Sample* own = seeds_of(subject, name);
  return own == nullptr ? Sample() : *own;
}

struct Strategy {
  const char* name;
  Sample (*runs)(const Subject& subject);
};

const Strategy k_strategies[] = {
    {"auto", [](const Subject& one) { return sample_of(one, "auto"); }},
    {"LOA", [](const Subject& one) { return sample_of(one, "LOA"); }},
    {"a, b, c", [](const Subject& one) { return sample_of(one, "heuristic:auto"); }},
    {"without a", [](const Subject& one) { return in_turns(one, of_use(one, first_chosen(one))); }},
    {"without b", [](const Subject& one) { return sample_of(one, "LA+FA+FS"); }},
    {"without c", [](const Subject& one) { return sample_of(one, "heuristic:auto+idle"); }},
    {"a", [](const Subject& one) { return sample_of(one, "LA+FA+FS+idle"); }},
    {"b", [](const Subject& one) { return in_turns(one, first_chosen(one)); }},
    {"c", [](const Subject& one) { return in_turns(one, first_of(of_use(one, k_all))); }},
    {"apart", [](const Subject& one) { return in_turns(one, k_all); }},
    {"the best of 14", best_of_all},
};

std::optional<Estimate> against_random(const Subject& subject, const Sample& runs) {
  const Sample random = sample_of(subject, "random");
  if (random.empty() || runs.empty()) return std::nullopt;
  return ratio(geometric_mean(random), geometric_mean(runs));
}

// Means of different subjects are not to be compared: a layer that was not run on all of them has none.
void add_mean(DocumentTable& table, const std::string& name, const std::vector<const Subject*>& subjects) {
  if (subjects.empty()) return;
  DocumentTable::Line line{{fmt::format("geometric mean, {} ({})", name, subjects.size())}, false, true};
  for (const Strategy& strategy : k_strategies) {
    std::vector<std::optional<Estimate>> factors;
    for (const Subject* subject : subjects)
      factors.push_back(against_random(*subject, strategy.runs(*subject)));
    const bool is_known =
        std::all_of(factors.begin(), factors.end(), [](const auto& one) { return one.has_value(); });
    line.cells.push_back(is_known ? mean_text(mean_of(factors)) : "–");
  }
  table.lines.push_back(std::move(line));
}

} // namespace

DocumentTable layers_table(const Evaluation& evaluation) {
  DocumentTable table{
      "I. Layers of a strategy that goes by the change, against random",
      {"How many times as many schedules random needs, with the reduction, geometric means over the "
       "randomized orders. Below 1, plain random is better, and the layer does not become a default.",
       "Heuristic auto has three layers. a: several heuristics order one search together. b: the change says "
       "which; without b they are LA, FA and FS. c: those that put off nothing in the first execution are "
       "dropped. Without a, the first heuristic orders the search alone, without c all stay. Then each layer "
       "by itself.",
       "Apart: LA, FA and FS in searches of their own, which take turns of a schedule each. The best of 14: "
       "for "
       "each subject the heuristic that turned out best, which no rule can know: what b could gain at most. "
       "These "
       "two, without a, b and c are computed from the runs of the heuristics. The others were run."},
      {"subject"},
      {}};
  for (const Strategy& strategy : k_strategies) table.columns.emplace_back(strategy.name);
  std::vector<const Subject*> deep;
  std::vector<const Subject*> own;
  std::vector<const Subject*> regressions;
  std::vector<const Subject*> all;
  for (const auto* subjects : {&evaluation.subjects, &evaluation.regressions})
    for (const Subject& subject : *subjects) {
      DocumentTable::Line line{{title_of(subject)}};
      for (const Strategy& strategy : k_strategies)
        line.cells.push_back(factor_text(against_random(subject, strategy.runs(subject))));
      table.lines.push_back(std::move(line));
      all.push_back(&subject);
      if (!subject.findings.shallow) deep.push_back(&subject);
      (subjects == &evaluation.regressions ? regressions : own).push_back(&subject);
    }
  add_mean(table, "deep", deep);
  add_mean(table, "subjects", own);
  add_mean(table, "regressions", regressions);
  add_mean(table, "all", all);
  return table;
}

} // namespace reex
