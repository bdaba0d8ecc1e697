#include "report/style.h"

#include <fmt/format.h>

namespace reex {
namespace {

std::string_view sgr(Tone tone) {
  switch (tone) {
  case Tone::plain:
    return "";
  case Tone::strong:
    return "1";
  case Tone::faint:
    return "2";
  case Tone::bad:
    return "1;31";
  case Tone::good:
    return "1;32";
  case Tone::doubtful:
    return "1;33";
  case Tone::changed:
    return "33";
  case Tone::decisive:
    return "35";
  }
  return "";
}

} // namespace

std::string Style::operator()(Tone tone, std::string_view text) const {
  const std::string_view code = sgr(tone);
  if (!m_colored || code.empty() || text.empty()) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

} // namespace reex
