#include <fmt/format.h>

#include <algorithm>

#include "report/figures/plot_axis.h"
#include "report/figures/plots.h"
#include "report/html/html_text.h"

namespace reex {
namespace {

PlotAxis axis_of(const std::vector<ForestRow>& rows, ForestScale scale) {
  if (scale == ForestScale::probability) return {Scale::linear, 0, 1};
  double low = 1;
  double high = 1;
  for (const ForestRow& row : rows) {
    low = std::min(low, row.interval ? std::min(row.value, row.interval->low) : row.value);
    high = std::max(high, row.interval ? std::max(row.value, row.interval->high) : row.value);
  }
  return {Scale::logarithmic, std::max(low, 0.001), high};
}

const char* side_of(const ForestRow& row, double even) {
  if (!row.interval || (row.interval->low <= even && row.interval->high >= even)) return "undecided";
  return row.interval->low > even ? "fewer" : "more";
}

} // namespace

std::string forest_plot(const std::vector<ForestRow>& rows, ForestScale scale, const std::string& unit) {
  const PlotAxis axis = axis_of(rows, scale);
  const double even = scale == ForestScale::probability ? 0.5 : 1;
  std::string text = "<div class=\"plot rows forest\">\n";
  for (const ForestRow& row : rows) {
    std::string marks;
    if (row.interval)
      marks = fmt::format("<i class=\"interval\" style=\"left:{:.2f}%;width:{:.2f}%\"></i>",
                          axis.percent(row.interval->low),
                          axis.percent(row.interval->high) - axis.percent(row.interval->low));
    text += fmt::format(
        "<div class=\"row {}\"><span class=\"name\">{}</span><span class=\"track\">{}<i class=\"even\" "
        "style=\"left:{:.2f}%\"></i>{}<i class=\"square\" style=\"left:{:.2f}%\"></i></span><span "
        "class=\"figure\">{}</span></div>\n",
        side_of(row, even), html(row.name), axis.lines(), axis.percent(even), marks, axis.percent(row.value),
        html(row.text));
  }
  return text +
         fmt::format(
             "<div class=\"row axis\"><span class=\"name\"></span><span class=\"track\">{}</span><span "
             "class=\"figure\"></span></div>\n<p class=\"unit\">{}</p>\n</div>\n",
             axis.numbers(), html(unit));
}

} // namespace reex
