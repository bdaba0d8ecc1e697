// The plots of a comparison as HTML. They are made of elements that are placed in percent, so that the
// letters have the reader's size at any width; colours come from comparison.css. Every number that is shown
// as a place or a colour also stands there as text.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/statistics/bootstrap.h"
#include "report/statistics/observation.h"
#include "report/statistics/summary.h"

namespace reex {

// Factors around 1.0, coloured on a logarithmic scale.
struct HeatRow {
  std::string name;
  std::vector<std::optional<Estimate>> factors;
  std::string note; // beside the name; "" for none
};
std::string heat_map(const std::string& corner, const std::vector<std::string>& columns,
                     const std::vector<HeatRow>& rows);

struct BoxRow {
  std::string name;
  Sample sample;
  std::optional<Observation> mark; // the default order
};
// `unit` is written below the axis. Each value is shown divided by `norm`.
std::string box_plot(const std::vector<BoxRow>& rows, const std::string& unit, double norm = 1);

struct ForestRow {
  std::string name;
  double value = 0;
  std::optional<Interval> interval;
  std::string text; // the figures, beside it
};
enum class ForestScale { probability, factor }; // 0 to 1 around 0.5; logarithmic around 1
std::string forest_plot(const std::vector<ForestRow>& rows, ForestScale scale, const std::string& unit);

struct Curve {
  std::string name;
  Sample sample;
  bool emphasized = true; // else drawn thin and without a name
};
std::string survival_plot(const std::vector<Curve>& curves, const std::string& unit);

struct Dot {
  std::string name;
  double x = 0;
  double y = 0;
  bool open = false; // a run that did not find it
  int series = -1;   // of the legend; -1: one of the others
};
std::string scatter_plot(const std::vector<Dot>& dots, const std::vector<std::string>& series,
                         const std::string& x_unit, const std::string& y_unit);

} // namespace reex
