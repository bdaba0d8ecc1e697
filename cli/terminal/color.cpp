#include "cli/terminal/color.h"

namespace reex {

bool decide_color(ColorMode mode, const ColorEnvironment& environment) {
  if (mode != ColorMode::automatic) return mode == ColorMode::always;
  if (!environment.no_color.empty()) return false;
  if (!environment.clicolor_force.empty() && environment.clicolor_force != "0") return true;
  return environment.terminal && !environment.term.empty() && environment.term != "dumb";
}

} // namespace reex
