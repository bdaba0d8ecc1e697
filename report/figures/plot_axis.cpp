#include "report/figures/plot_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/text/text_layout.h"

namespace reex {
namespace {

std::string tick_text(double value) {
  return value < 1 ? fmt::format("{:g}", value) : grouped(static_cast<unsigned long long>(std::round(value)));
}

} // namespace

PlotAxis::PlotAxis(Scale scale, double low, double high) : m_scale(scale), m_low(low), m_high(high) {
  constexpr double k_least = 2;
  if (scale == Scale::logarithmic) m_high = std::max(m_high, m_low * k_least);
}

double PlotAxis::place(double value) const {
  return m_scale == Scale::linear ? value : std::log(std::max(value, m_low));
}

double PlotAxis::percent(double value) const {
  const double part = (place(value) - place(m_low)) / (place(m_high) - place(m_low));
  return 100 * std::clamp(part, 0.0, 1.0);
}

std::vector<PlotAxis::Tick> PlotAxis::ticks() const {
  constexpr int k_intervals = 4;
  std::vector<Tick> ticks;
  if (m_scale == Scale::linear) {
    for (int i = 0; i <= k_intervals; ++i) {
      const double value = m_low + (m_high - m_low) * i / k_intervals;
      ticks.push_back({percent(value), fmt::format("{:g}", value)});
    }
    return ticks;
  }
  constexpr double k_few_decades = 300;
  const bool between = m_high / m_low < k_few_decades;
  for (double decade = std::pow(10, std::floor(std::log10(m_low))); decade <= m_high; decade *= 10)
    for (const double step : {1.0, 2.0, 5.0})
      if (const double value = decade * step;
          (step < 1.5 || between) && value >= m_low * 0.999 && value <= m_high * 1.001)
        ticks.push_back({percent(value), tick_text(value)});
  return ticks;
}

std::string PlotAxis::lines() const {
  std::string text;
  for (const Tick& tick : ticks())
    text += fmt::format("<i class=\"grid\" style=\"left:{:.2f}%\"></i>", tick.percent);
  return text;
}

std::string PlotAxis::numbers() const {
  std::string text;
  for (const Tick& tick : ticks())
    text += fmt::format("<span style=\"left:{0:.2f}%;transform:translateX(-{0:.2f}%)\">{1}</span>",
                        tick.percent, tick.text);
  return text;
}

} // namespace reex
