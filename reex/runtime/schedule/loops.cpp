#include "reex/runtime/schedule/loops.h"

#include "reex/runtime/core/enabled.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/descriptors/outside.h"
#include "reex/runtime/descriptors/timer_descriptors.h"
#include "reex/runtime/memory/snapshot.h"
#include "reex/runtime/schedule/choose.h"
#include "reex/runtime/schedule/spin.h"
#include "reex/runtime/signals/timers.h"

namespace reex {
namespace {

bool is_seen_by_others(const Fiber& changer) {
  for (const Fiber* other : alive())
    if (other->spinning && other != &changer && is_seen_by(changer, *other)) return true;
  return false;
}

bool may_go_on(const Fiber& fiber) { return fiber.loop == Loop::suspected && is_enabled(fiber); }

bool all_wait_for_ever(std::uint32_t calm_turns) {
  bool found = false;
  for (const Fiber* each : alive()) {
    const Fiber& fiber = *each;
    // One that is not enabled waits for what a thread holds that waits for ever too.
    if (!fiber.spinning || !is_enabled(fiber)) continue;
    if (!waits_for_ever(fiber, calm_turns) || is_seen_by_others(fiber)) return false;
    found = true;
  }
  return found;
}

} // namespace

bool goes_on(Fiber& fiber) {
  if (fiber.loop != Loop::going_on) return false;
  expire_timer_descriptors();
  fire_timers();
  fiber.loop = Loop::suspected;
  if (!is_enabled(fiber)) return false;
  // Not with a lock in its hands, if this can be helped.
  if (g.loop_operations >= (holds_more(fiber) ? 2 * k_loop_operations : k_loop_operations)) {
    fiber.loop = Loop::cut;
    g.control->ending.loop_cut = true;
    return false;
  }
  ++g.loop_operations;
  g.goer = fiber.id;
  fiber.loop = Loop::going_on;
  return true;
}

Fiber* choose_loop() {
  if (g.spinning == 0) return nullptr;
  const int goer = g.goer;
  Fiber* chosen = choose_or_leave(
      ChoiceKind::loop, [&](const Fiber& fiber) { return fiber.id == goer && may_go_on(fiber); }, true);
  g.goer = -1;
  if (chosen == nullptr)
    chosen = choose_or_leave(ChoiceKind::loop,
                             [&](const Fiber& fiber) { return fiber.id != goer && may_go_on(fiber); });
  if (chosen == nullptr) return nullptr;
  chosen->loop = Loop::going_on;
  return goes_on(*chosen) ? chosen : nullptr;
}

bool is_livelock() {
  // A loop may leave by what code without hooks remembers.
  if (has_unseen_code() || !all_wait_for_ever(k_calm_turns / 2)) return false;
  // So may a function without hooks in a file that has them. Its memory would change in the second half of
  // the turns.
  if (g.unrest_at_sum != g.unrest) {
    g.unrest_at_sum = g.unrest;
    g.memory_at_sum = memory_sum();
    return false;
  }
  if (!all_wait_for_ever(k_calm_turns)) return false;
  if (memory_sum() == g.memory_at_sum) return g.in_place || !somebody_outside();
  ++g.unrest;
  return false;
}

} // namespace reex
