// The colours of the terminal. Without colours, every call returns its text unchanged.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace reex {

enum class Tone : std::uint8_t { plain, strong, faint, bad, good, doubtful, changed, decisive };

class Style {
public:
  explicit Style(bool colored = false) : m_colored(colored) {}
  std::string operator()(Tone tone, std::string_view text) const;

private:
  bool m_colored;
};

} // namespace reex
