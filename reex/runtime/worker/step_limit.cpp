#include "reex/runtime/worker/step_limit.h"

#include <algorithm>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/runtime.h"

namespace reex {
namespace {

constexpr std::uint64_t k_times_the_first = 10;
// A few executions: as many as have so many operations, if each comes to the ordinary limit.
constexpr std::uint64_t k_a_few = 320000;
constexpr std::uint64_t k_least_few = 4;

} // namespace

bool has_given_way() {
  const Hurry hurry = g.shared->status.hurry.load();
  return hurry == Hurry::given_way || hurry == Hurry::a_few;
}

std::uint64_t most_schedules() {
  const RunConfig& config = g.control->config;
  if (g.shared->status.hurry.load(std::memory_order_relaxed) != Hurry::a_few) [[likely]]
    return config.max_schedules;
  if (g.shared->search.settled.load()) return config.max_schedules; // a race: now for what comes of it
  const std::uint64_t few = std::max(k_least_few, k_a_few / std::max<std::uint64_t>(config.max_steps, 1));
  return config.max_schedules == 0 ? few : std::min(few, config.max_schedules);
}

std::uint64_t step_limit() {
  const RunConfig& config = g.control->config;
  const SelfCheck& check = g.control->check;
  if (g.detail && g.control->failure.ending.steps != 0) return g.control->failure.ending.limit;
  if (config.first_max_steps == 0 || has_given_way()) return config.max_steps;
  // One that ended at its limit with new findings ends there once more.
  const bool ends_at_it = g.detail && g.control->failure.ending.end == End::step_limit;
  // The first execution, the second, which must do the same, and a failure executed once more.
  if (check.state == CheckState::none || check.running || (g.detail && !ends_at_it))
    return config.first_max_steps;
  if (check.end[0].end == End::step_limit) return config.max_steps; // its length says nothing
  return std::max(config.max_steps, std::min(check.length * k_times_the_first, config.first_max_steps));
}

bool raise_limit(Ending& ending) {
  if (ending.limit == ending.steps) return false;
  ending.limit = ending.steps;
  return true;
}

void give_way_to_others() {
  const ControlBlock& control = *g.control;
  const RunConfig& config = control.config;
  std::atomic<Hurry>& hurry = g.shared->status.hurry;
  const Hurry now = hurry.load(std::memory_order_relaxed);
  const bool is_long = now == Hurry::none && config.gives_way_after != 0 && g.step > config.gives_way_after;
  if (now != Hurry::asked && !is_long) [[likely]]
    return;
  const bool is_first =
      config.task == Task::explore && control.check.state == CheckState::none && !g.detail && !g.forked_off;
  if (!is_first || config.first_max_steps == 0 || g.step <= config.max_steps) return;
  hurry.store(is_long ? Hurry::a_few : Hurry::given_way);
  throw_away(End::impatient, "");
}

} // namespace reex
