// An axis of a plot: where a value lies, in percent of the width or height, and what is written along it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace reex {

enum class Scale : std::uint8_t { linear, logarithmic };

class PlotAxis {
public:
  // `low` is positive where the scale is logarithmic.
  PlotAxis(Scale scale, double low, double high);

  // From 0 to 100; values beyond the ends lie at the ends.
  double percent(double value) const;

  struct Tick {
    double percent;
    std::string text;
  };
  std::vector<Tick> ticks() const;
  // The lines of the ticks and their numbers, for an element of the class "track".
  std::string lines() const;
  std::string numbers() const;

private:
  double place(double value) const;

  Scale m_scale;
  double m_low;
  double m_high;
};

} // namespace reex
