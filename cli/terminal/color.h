// Whether reports are coloured: --color beats NO_COLOR beats CLICOLOR_FORCE beats isatty and TERM.
#pragma once

#include <cstdint>
#include <string>

namespace reex {

enum class ColorMode : std::uint8_t { automatic, always, never };

// The environment's side of it; an unset variable is "".
struct ColorEnvironment {
  std::string no_color;
  std::string clicolor_force;
  std::string term;
  bool terminal = false;
};

bool decide_color(ColorMode mode, const ColorEnvironment& environment);

} // namespace reex
