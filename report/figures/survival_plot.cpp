#include <fmt/format.h>

#include <algorithm>

#include "report/figures/plot_axis.h"
#include "report/figures/plots.h"
#include "report/html/html_text.h"
#include "report/statistics/survival.h"

namespace reex {
namespace {

constexpr std::size_t k_series = 6; // colours and dashes that comparison.css has

double last_of(const Sample& sample) {
  double last = 1;
  for (const Observation& one : sample) last = std::max(last, one.value);
  return last;
}

// In the unit square of 100 by 100, y downwards.
std::string path_of(const Sample& sample, const PlotAxis& axis) {
  std::string path = "M0 0";
  for (const SurvivalStep& step : survival_curve(sample))
    path += fmt::format("H{:.2f}V{:.2f}", axis.percent(step.value), 100 * (1 - step.survival));
  return path + fmt::format("H{:.2f}", axis.percent(last_of(sample)));
}

std::string line(const Curve& curve, const PlotAxis& axis, std::size_t series) {
  if (!curve.emphasized) return fmt::format("<path class=\"thin\" d=\"{}\"/>", path_of(curve.sample, axis));
  return fmt::format("<path class=\"s{}\" d=\"{}\"/>", series % k_series, path_of(curve.sample, axis));
}

} // namespace

std::string survival_plot(const std::vector<Curve>& curves, const std::string& unit) {
  double high = 1;
  for (const Curve& curve : curves) high = std::max(high, last_of(curve.sample));
  const PlotAxis axis(Scale::logarithmic, 1, high);
  std::string thin;
  std::string lines;
  std::string legend;
  std::size_t series = 0;
  for (const Curve& curve : curves) {
    (curve.emphasized ? lines : thin) += line(curve, axis, series);
    if (curve.emphasized)
      legend += fmt::format(
          "<li><svg class=\"swatch\" viewBox=\"0 0 30 6\" aria-hidden=\"true\"><path class=\"s{}\" "
          "d=\"M0 3H30\"/></svg>{}</li>",
          series++ % k_series, html(curve.name));
  }
  return fmt::format(
      "<div class=\"plot field\">\n<ul class=\"legend\">{}</ul>\n<div class=\"frame\"><span class=\"y "
      "top-end\">100 %</span><span class=\"y bottom-end\">0 %</span><span class=\"track\">{}<svg "
      "viewBox=\"0 0 100 100\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"the part of the runs "
      "without a failure so far\">{}{}</svg></span></div>\n<div class=\"frame axis\"><span "
      "class=\"track\">{}</span></div>\n<p class=\"unit\">{}</p>\n</div>\n",
      legend, axis.lines(), thin, lines, axis.numbers(), html(unit));
}

} // namespace reex
