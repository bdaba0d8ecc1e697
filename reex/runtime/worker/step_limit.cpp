#include "reex/runtime/worker/step_limit.h"

#include <algorithm>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/runtime.h"

namespace reex {
namespace {

constexpr std::uint64_t k_times_the_first = 10;

} // namespace

std::uint64_t step_limit() {
  const RunConfig& config = g.control->config;
  const SelfCheck& check = g.control->check;
  if (config.first_max_steps == 0 || g.shared->status.hurry.load() == Hurry::given_way)
    return config.max_steps;
  // One that ended at its limit with new findings ends there once more.
  const bool ends_at_it = g.detail && g.control->failure.ending.end == End::step_limit;
  // The first execution, the second, which must do the same, and a failure executed once more.
  if (check.state == CheckState::none || check.running || (g.detail && !ends_at_it))
    return config.first_max_steps;
  if (check.end[0].end == End::step_limit) return config.max_steps; // its length says nothing
  return std::max(config.max_steps, std::min(check.length * k_times_the_first, config.first_max_steps));
}

void give_way_to_others() {
  std::atomic<Hurry>& hurry = g.shared->status.hurry;
  if (hurry.load(std::memory_order_relaxed) != Hurry::asked) [[likely]]
    return;
  const ControlBlock& control = *g.control;
  const bool is_first = control.config.task == Task::explore && control.check.state == CheckState::none &&
                        !g.detail && !g.forked_off;
  if (!is_first || control.config.first_max_steps == 0 || g.step <= control.config.max_steps) return;
  hurry.store(Hurry::given_way);
  throw_away(End::impatient, "");
}

} // namespace reex
