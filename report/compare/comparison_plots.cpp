#include "report/compare/comparison_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "report/figures/figures.h"
#include "report/figures/plots.h"

namespace reex {

std::string boxes_of(const Comparison& comparison, const Findings& findings, const std::string& reduction,
                     Norm norm) {
  std::vector<BoxRow> rows;
  double median = 1;
  for (const Contestant& one : comparison.contestants)
    if (const Row* row = row_of(findings, one.name, reduction)) {
      rows.push_back({one.name, row->seeds, row->default_order});
      if (one.kind == ContestantKind::basic && row->median) median = std::max(1.0, row->median->value);
    }
  return norm == Norm::none ? box_plot(rows, "schedules, logarithmic")
                            : box_plot(rows, "schedules over the median of Basic, logarithmic", median);
}

std::string survival_of(const Comparison& comparison, const Findings& findings,
                        const std::string& reduction) {
  const std::vector<std::string> named = {"Basic", comparison.judged, "random", "auto", "pos", "surw"};
  std::vector<Curve> curves;
  for (const std::string& name : named)
    if (const Row* row = row_of(findings, name, reduction); row != nullptr && !row->seeds.empty())
      curves.push_back({name, row->seeds, true});
  for (const Contestant& one : comparison.contestants)
    if (const Row* row = row_of(findings, one.name, reduction);
        row != nullptr && !row->seeds.empty() &&
        std::find(named.begin(), named.end(), one.name) == named.end())
      curves.push_back({one.name, row->seeds, false});
  return survival_plot(curves, "schedules, logarithmic");
}

std::string scatter_of(const Comparison& comparison, const Findings& findings, bool all) {
  const std::vector<std::string> series = {"Basic", comparison.judged, "random"};
  std::vector<Dot> dots;
  for (const RunRecord& run : comparison.runs) {
    if (!run.judged || run.id.reduction == k_cost_run) continue;
    const auto place = std::find(series.begin(), series.end(), run.id.contestant);
    if (place == series.end() && !all) continue;
    const Observation one = observation_of(run, findings.measured, comparison.schedule_limit);
    dots.push_back({fmt::format("{} {} seed {}: {} schedules, {:.2f} s", run.id.contestant, run.id.reduction,
                                run.id.seed, schedules_text(one), run.processor_seconds),
                    static_cast<double>(std::max<std::uint64_t>(1, run.schedules)), run.processor_seconds,
                    one.censored, place == series.end() ? -1 : static_cast<int>(place - series.begin())});
  }
  return scatter_plot(dots, series, "schedules executed, logarithmic",
                      "seconds of processor time, logarithmic");
}

} // namespace reex
