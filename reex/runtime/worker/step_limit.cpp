#include "reex/runtime/worker/step_limit.h"

#include <algorithm>

#include "reex/runtime/core/runtime.h"

namespace reex {
namespace {

constexpr std::uint64_t k_times_the_first = 10;

} // namespace

std::uint64_t step_limit() {
  const RunConfig& config = g.control->config;
  const SelfCheck& check = g.control->check;
  if (config.first_max_steps == 0) return config.max_steps;
  // One that ended at its limit with new findings ends there once more.
  const bool ends_at_it = g.detail && g.control->failure.ending.end == End::step_limit;
  // The first execution, the second, which must do the same, and a failure executed once more.
  if (check.state == CheckState::none || check.running || (g.detail && !ends_at_it))
    return config.first_max_steps;
  if (check.end[0].end == End::step_limit) return config.max_steps; // its length says nothing
  return std::max(config.max_steps, std::min(check.steps * k_times_the_first, config.first_max_steps));
}

} // namespace reex
