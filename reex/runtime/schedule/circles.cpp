// The variables belong to one execution.
#include "reex/runtime/schedule/circles.h"

#include <algorithm>
#include <utility>

#include "reex/runtime/core/enabled.h"
#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/runtime.h"

namespace reex {
namespace {

constexpr std::uint64_t k_operations_of_others = 10000;
constexpr std::uint64_t k_shown_operations = 20;

std::uint64_t g_lasts_until = 0; // a step; 0: there is no circle
std::uint64_t g_since = 0;
std::uint64_t g_step_limit = 0; // without it

// The execution that shows such a deadlock does not go on for so long behind it.
std::uint64_t end_of(std::uint64_t since) {
  const Ending& shown = g.control->failure.ending;
  const bool shows = g.detail && shown.end == End::deadlock && shown.steps != 0;
  return shows ? shown.limit : since + k_operations_of_others;
}

// What the thread waits for is not a wait with an end of its own.
int waits_only_for(const Fiber& fiber) {
  const Pending& pending = fiber.pending;
  if (pending.deadline != k_never || (pending.operation == Operation::cond_reacquire && !pending.notified))
    return -1;
  return is_enabled(fiber) ? -1 : holder_of(pending);
}

bool is_in_circle(const Fiber& first) {
  const Fiber* fiber = &first;
  for (unsigned i = 0; i < g.live; ++i) {
    const int holder = waits_only_for(*fiber);
    fiber = holder < 0 ? nullptr : live_thread(static_cast<unsigned>(holder));
    if (fiber == nullptr) return false;
    if (fiber == &first) return true;
  }
  return false;
}

} // namespace

void begin_circles() { g_lasts_until = 0; }

void note_circle(const Fiber& self) {
  if (g_lasts_until != 0 || !is_in_circle(self)) return;
  g_since = g.step;
  g_lasts_until = end_of(g_since);
  g_step_limit = g.step_limit;
  g.step_limit = g_lasts_until;
}

bool end_circle() {
  if (g_lasts_until == 0 || g.step < g_lasts_until) return false;
  const std::uint64_t end = std::exchange(g_lasts_until, 0);
  if (std::any_of(alive().begin(), alive().end(), [](const Fiber* fiber) { return is_in_circle(*fiber); })) {
    Ending& ending = g.control->ending;
    ending.steps = end;
    ending.limit = std::min(g_since + k_shown_operations, end);
    end_execution(End::deadlock, 0, nullptr);
  }
  g.step_limit = g_step_limit;
  return g.step <= g.step_limit;
}

} // namespace reex
