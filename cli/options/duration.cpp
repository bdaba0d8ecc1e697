#include "cli/options/duration.h"

#include <array>
#include <charconv>
#include <utility>

namespace reex {

std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, double>, 5> k_units = {
      {{"", 1000}, {"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}}};
  constexpr double k_longest = 10.0 * 365 * 24 * 3'600'000;

  double number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (error != std::errc() || !(number >= 0)) return std::nullopt;
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  for (const auto& [name, factor] : k_units) {
    if (unit != name) continue;
    if (number * factor > k_longest) return std::nullopt;
    return std::chrono::milliseconds(static_cast<long long>(number * factor + 0.5));
  }
  return std::nullopt;
}

} // namespace reex
