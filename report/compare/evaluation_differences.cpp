// G: where a measured speed-up is more than three times the published one, or less than a third of it. What
// the runs show by themselves is said first; the rest was looked up in the traces (data/published.json).
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "report/compare/evaluation_tables.h"
#include "report/figures/figures.h"
#include "report/text/text_layout.h"

namespace reex {
namespace {

constexpr double k_far = 3;

// Whether all runs of the heuristic, without the reduction, need as many schedules as Basic's.
bool is_as_basic(const Subject& subject, const std::string& heuristic, std::size_t& orders) {
  const Row* own = row_of(subject.findings, heuristic, "none");
  const Row* basic = row_of(subject.findings, "Basic", "none");
  if (own == nullptr || basic == nullptr || own->seeds.size() != basic->seeds.size()) return false;
  orders = own->seeds.size() + 1;
  const auto equal = [](const Observation& a, const Observation& b) {
    return a.value == b.value && a.censored == b.censored;
  };
  return own->default_order && basic->default_order && equal(*own->default_order, *basic->default_order) &&
         std::equal(own->seeds.begin(), own->seeds.end(), basic->seeds.begin(), equal);
}

std::string looked_up(const Published& published, const std::string& subject, const std::string& heuristic) {
  const auto of_subject = published.reasons.find(subject);
  if (of_subject == published.reasons.end()) return "";
  for (const auto& [names, reason] : of_subject->second) {
    std::istringstream list(names);
    for (std::string name; std::getline(list, name, ',');)
      if (name == heuristic) return reason;
  }
  return "";
}

std::string reason_of(const Evaluation& evaluation, const Subject& subject, const std::string& heuristic,
                      double published) {
  std::vector<std::string> parts;
  const Row* basic = row_of(subject.findings, "Basic", "none");
  if (basic != nullptr && basic->default_order && !basic->default_order->censored &&
      published > basic->default_order->value)
    parts.push_back(fmt::format("Basic needs only {} here: no factor can be as high",
                                counted(static_cast<std::size_t>(basic->default_order->value), "schedule")));
  std::size_t orders = 0;
  if (is_as_basic(subject, heuristic, orders))
    parts.push_back(fmt::format("as many schedules as Basic in all {} orders", orders));
  if (std::string found = looked_up(*evaluation.published, subject.comparison.label, heuristic);
      !found.empty())
    parts.push_back(std::move(found));
  if (parts.empty()) return "not known";
  std::string text = parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i) text += "; " + parts[i];
  return text;
}

} // namespace

DocumentTable differences_table(const Evaluation& evaluation) {
  DocumentTable table{
      "G. What differs from the published speed-ups",
      {fmt::format("Speed-ups in default order without the reduction that are more than {:g} times the "
                   "published ones, or less than a third, and why, as the runs and their traces show it.",
                   k_far)},
      {"subject", "heuristics", "here", "published", "why"},
      {},
      true};
  std::size_t cells = 0;
  std::size_t far = 0;
  for (const Subject& subject : evaluation.subjects) {
    const auto figures = evaluation.published->speed_ups.find(subject.comparison.label);
    if (figures == evaluation.published->speed_ups.end()) continue;
    const std::size_t first = table.lines.size();
    for (const std::string& heuristic : heuristic_names()) {
      const auto own = speed_up(subject, heuristic, "none", Orders::default_order);
      if (!own || own->known == Known::unknown || !figures->second.contains(heuristic)) continue;
      const double published = figures->second.at(heuristic);
      ++cells;
      if (std::max(own->value / published, published / own->value) <= k_far) continue;
      ++far;
      DocumentTable::Line line{{title_of(subject), heuristic, factor_text(own), factor_text(published),
                                reason_of(evaluation, subject, heuristic, published)}};
      const auto same =
          std::find_if(table.lines.begin() + static_cast<std::ptrdiff_t>(first), table.lines.end(),
                       [&](const DocumentTable::Line& other) {
                         return std::equal(line.cells.begin() + 2, line.cells.end(), other.cells.begin() + 2);
                       });
      if (same == table.lines.end())
        table.lines.push_back(std::move(line));
      else
        same->cells[1] += ", " + heuristic;
    }
  }
  table.text.push_back(fmt::format("{} of {} published cells differ so much.", far, cells));
  return table;
}

} // namespace reex
