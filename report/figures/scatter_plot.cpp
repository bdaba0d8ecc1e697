#include <fmt/format.h>

#include <algorithm>

#include "report/figures/plot_axis.h"
#include "report/figures/plots.h"
#include "report/html/html_text.h"

namespace reex {
namespace {

std::string class_of(const Dot& dot) {
  return fmt::format("dot{}{}", dot.open ? " open" : "",
                     dot.series < 0 ? "" : fmt::format(" d{}", dot.series));
}

} // namespace

std::string scatter_plot(const std::vector<Dot>& dots, const std::vector<std::string>& series,
                         const std::string& x_unit, const std::string& y_unit) {
  double x_high = 1;
  double y_low = 1;
  double y_high = 0.01;
  for (const Dot& dot : dots) {
    x_high = std::max(x_high, dot.x);
    y_low = std::min(y_low, std::max(dot.y, 0.001));
    y_high = std::max(y_high, dot.y);
  }
  const PlotAxis x(Scale::logarithmic, 1, x_high);
  const PlotAxis y(Scale::logarithmic, y_low, y_high);
  std::string marks = x.lines();
  for (const PlotAxis::Tick& tick : y.ticks())
    marks += fmt::format("<i class=\"grid level\" style=\"bottom:{:.2f}%\"></i><span class=\"y\" "
                         "style=\"bottom:{:.2f}%\">{}</span>",
                         tick.percent, tick.percent, tick.text);
  std::vector<Dot> sorted = dots; // those of the legend on top
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Dot& a, const Dot& b) { return a.series < b.series; });
  for (const Dot& dot : sorted)
    marks += fmt::format("<i class=\"{}\" style=\"left:{:.2f}%;bottom:{:.2f}%\" title=\"{}\"></i>",
                         class_of(dot), x.percent(dot.x), y.percent(dot.y), html(dot.name));
  std::string legend;
  for (std::size_t i = 0; i < series.size(); ++i)
    legend += fmt::format("<li><i class=\"dot d{}\"></i>{}</li>", i, html(series[i]));
  legend += "<li><i class=\"dot\"></i>others</li><li><i class=\"dot open\"></i>not found</li>";
  return fmt::format(
      "<div class=\"plot field\">\n<ul class=\"legend\">{}</ul>\n<p class=\"unit\">{}</p>\n<div "
      "class=\"frame\"><span class=\"track\">{}</span></div>\n<div class=\"frame axis\"><span "
      "class=\"track\">{}</span></div>\n<p class=\"unit\">{}</p>\n</div>\n",
      legend, html(y_unit), marks, x.numbers(), html(x_unit));
}

} // namespace reex
