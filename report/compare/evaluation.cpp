#include "report/compare/evaluation.h"

#include <algorithm>
#include <cmath>

#include "heuristics/table.h"
#include "report/figures/figures.h"

namespace reex {
namespace {

template <typename Wanted>
std::vector<const Subject*> subjects_of(const Evaluation& evaluation, Wanted wanted) {
  std::vector<const Subject*> subjects;
  for (const Subject& subject : evaluation.subjects)
    if (wanted(subject)) subjects.push_back(&subject);
  return subjects;
}

} // namespace

std::string title_of(const Subject& subject) {
  return subject.comparison.label + (subject.findings.shallow ? " (shallow)" : "");
}

std::vector<std::string> heuristic_names() {
  std::vector<std::string> names;
  for (const Heuristic& row : heuristics())
    if (row.mask != 0) names.emplace_back(row.name);
  return names;
}

std::vector<const Subject*> all_of(const Evaluation& evaluation) {
  return subjects_of(evaluation, [](const Subject&) { return true; });
}

std::vector<const Subject*> deep_of(const Evaluation& evaluation) {
  return subjects_of(evaluation, [](const Subject& one) { return !one.findings.shallow; });
}

std::vector<const Subject*> published_of(const Evaluation& evaluation) {
  return subjects_of(evaluation, [&](const Subject& one) {
    return evaluation.published && evaluation.published->speed_ups.contains(one.comparison.label);
  });
}

std::optional<Estimate> speed_up(const Subject& subject, const std::string& heuristic,
                                 const std::string& reduction, Orders orders) {
  const Row* row = row_of(subject.findings, heuristic, reduction);
  if (row == nullptr) return std::nullopt;
  if (orders == Orders::default_order) return row->default_against_basic;
  return row->against_basic ? row->against_basic->factor : std::nullopt;
}

MeanFactor mean_of(const std::vector<std::optional<Estimate>>& factors) {
  MeanFactor mean;
  double sum = 0;
  for (const auto& factor : factors) {
    if (!factor || factor->known == Known::unknown) continue;
    sum += std::log(factor->value);
    ++mean.subjects;
    mean.some_at_least = mean.some_at_least || factor->known == Known::at_least;
    mean.some_at_most = mean.some_at_most || factor->known == Known::at_most;
  }
  if (mean.subjects != 0) mean.value = std::exp(sum / static_cast<double>(mean.subjects));
  return mean;
}

MeanFactor mean_speed_up(const std::vector<const Subject*>& subjects, const std::string& heuristic,
                         const std::string& reduction, Orders orders) {
  std::vector<std::optional<Estimate>> factors;
  for (const Subject* subject : subjects) factors.push_back(speed_up(*subject, heuristic, reduction, orders));
  return mean_of(factors);
}

std::string mean_text(const MeanFactor& mean) {
  if (mean.subjects == 0) return "–";
  const char* mark = mean.some_at_least && mean.some_at_most ? "~"
                     : mean.some_at_least                    ? "≥"
                     : mean.some_at_most                     ? "≤"
                                                             : "";
  return mark + factor_text(mean.value);
}

} // namespace reex
