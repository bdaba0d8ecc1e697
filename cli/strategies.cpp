#include "cli/strategies.h"

#include <array>

namespace reex {
namespace {

constexpr std::array<StrategyRow, 3> k_strategies = {{
    {"icb", "iterative context bounding: 0, 1, 2, ... preemptions up to the bound (default)"},
    {"dfs", "depth first through all schedules within the bound"},
    {"random", "random schedules from --seed, --schedules of them; claims no bound"},
}};

} // namespace

std::span<const StrategyRow> strategies() { return k_strategies; }

} // namespace reex
