// Decides whether reports are coloured. --color has precedence over NO_COLOR, this over CLICOLOR_FORCE, and
// this over isatty and TERM.
#pragma once

#include <cstdint>
#include <string>

namespace reex {

enum class ColorMode : std::uint8_t { automatic, always, never };

// The environment's part of the decision. A variable that is not set is "".
struct ColorEnvironment {
  std::string no_color;
  std::string clicolor_force;
  std::string term;
  bool terminal = false;
};

bool decide_color(ColorMode mode, const ColorEnvironment& environment);

} // namespace reex
