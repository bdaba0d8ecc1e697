// Durations as text: "500ms", "60s", "1.5m", "2h". A number without a unit means seconds.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace reex {

// nullopt for any other text, for a negative duration, and for one above ten years.
std::optional<std::chrono::milliseconds> parse_duration(std::string_view text);

} // namespace reex
