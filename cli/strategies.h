// The strategies of this version, for `reex list` and the help.
#pragma once

#include <span>
#include <string_view>

namespace reex {

struct StrategyRow {
  std::string_view name;
  std::string_view description; // one line
};

std::span<const StrategyRow> strategies();

} // namespace reex
