#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "report/figures/figures.h"
#include "report/figures/plot_axis.h"
#include "report/figures/plots.h"
#include "report/html/html_text.h"

namespace reex {
namespace {

PlotAxis axis_of(const std::vector<BoxRow>& rows) {
  double low = 1;
  double high = 1;
  const auto take_in = [&](const Observation& one) {
    low = std::min(low, one.value);
    high = std::max(high, one.value);
  };
  for (const BoxRow& row : rows) {
    for (const Observation& one : row.sample) take_in(one);
    if (row.mark) take_in(*row.mark);
  }
  return {Scale::logarithmic, low, high};
}

std::vector<BoxRow> divided(std::vector<BoxRow> rows, double norm) {
  for (BoxRow& row : rows) {
    for (Observation& one : row.sample) one.value /= norm;
    if (row.mark) row.mark->value /= norm;
  }
  return rows;
}

std::string span(const char* what, double from, double to) {
  return fmt::format("<i class=\"{}\" style=\"left:{:.2f}%;width:{:.2f}%\"></i>", what, from, to - from);
}

std::string point(const char* what, double at) {
  return fmt::format("<i class=\"{}\" style=\"left:{:.2f}%\"></i>", what, at);
}

std::string track(const BoxRow& row, const PlotAxis& axis) {
  std::string text;
  const auto at = [&](double part) { return axis.percent(quantile(row.sample, part)->value); };
  if (!row.sample.empty())
    text = span("whisker", at(0), at(1)) + span("box", at(0.25), at(0.75)) + point("median", at(0.5));
  std::set<std::string> dots; // where several lie on each other, one is to be seen
  for (const Observation& one : row.sample)
    dots.insert(point(one.censored ? "dot open" : "dot", axis.percent(one.value)));
  for (const std::string& dot : dots) text += dot;
  if (row.mark)
    text += point(row.mark->censored ? "mark-default open" : "mark-default", axis.percent(row.mark->value));
  return text;
}

} // namespace

std::string box_plot(const std::vector<BoxRow>& given, const std::string& unit, double norm) {
  const std::vector<BoxRow> rows = divided(given, norm);
  const PlotAxis axis = axis_of(rows);
  std::string text = "<div class=\"plot rows\">\n";
  for (const BoxRow& row : rows)
    text += fmt::format(
        "<div class=\"row\"><span class=\"name\">{}</span><span class=\"track\">{}{}</span><span "
        "class=\"figure\">{}</span></div>\n",
        html(row.name), axis.lines(), track(row, axis),
        html(norm > 1 ? factor_text(quantile(row.sample, 0.5)) : schedules_text(quantile(row.sample, 0.5))));
  return text +
         fmt::format(
             "<div class=\"row axis\"><span class=\"name\"></span><span class=\"track\">{}</span><span "
             "class=\"figure\">median</span></div>\n<p class=\"unit\">{}</p>\n</div>\n",
             axis.numbers(), html(unit));
}

} // namespace reex
