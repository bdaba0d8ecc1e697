// Budgets as text: "500ms", "60s", "1.5m", "2h"; a number alone is seconds.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace reex {

// nullopt for anything else, for negative ones, and above ten years.
std::optional<std::chrono::milliseconds> parse_duration(std::string_view text);

} // namespace reex
