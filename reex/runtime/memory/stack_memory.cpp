// Uses of other threads' stacks (core/stacks.h). Nobody is accused who may be right: a thread may run on a
// stack of its own making (a context, a coroutine with a stack, a signal stack). Then it stands outside its
// own stack, or the walk from where it stands does not lead to its outermost function.
#include "reex/runtime/core/running.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/stacks.h"
#include "reex/runtime/memory/memory_error.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/runtime/order/race.h"
#include "reex/runtime/threads/donor.h"
#include "reex/runtime/threads/fiber.h"

namespace reex {
namespace {

// The thread that has a stack, or had it last in this execution.
struct User {
  Fiber* fiber = nullptr; // null: it has ended, or there is none
  int id = -1;            // its number; -1: there is none
};

User user_of(std::uintptr_t at) {
  if (at - g_main_stack_low < k_main_stack) return {&g_fibers[0], 0};
  const Donor* const of = donor_at(at);
  if (of == nullptr || of->user == nullptr) return {};
  const bool lives = of->user->id == of->user_id && of->user->state == FiberState::live;
  return {lives ? of->user : nullptr, of->user_id};
}

bool is_on_own_stack(const Fiber& fiber, std::uintptr_t at) {
  if (fiber.donor == nullptr) return at - g_main_stack_low < k_main_stack;
  return at >= reinterpret_cast<std::uintptr_t>(fiber.donor->stack_low) &&
         at < reinterpret_cast<std::uintptr_t>(fiber.donor->end);
}

bool is_dead(Fiber& owner, std::uintptr_t at) {
  // Nothing overwrites the main thread's stack after its pthread_exit, and programs rely on it.
  if (owner.state != FiberState::live) return false;
  return at < owner.live_from && is_on_own_stack(owner, owner.live_from) && leads_to_start(owner);
}

} // namespace

void watch_stack(const void* address, std::size_t size, FindingAct act) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const User owner = user_of(at);
  if (owner.id < 0 || owner.id == g.current->id) return;
  if (owner.fiber == nullptr || is_dead(*owner.fiber, at)) {
    g.control->ending.frame_raced = true;
    stack_use_after_return({.owner = static_cast<unsigned>(owner.id),
                            .has_ended = owner.fiber == nullptr,
                            .size = static_cast<unsigned>(size),
                            .act = act});
  }
  if (at < owner.fiber->lowest_shared) owner.fiber->lowest_shared = at;
}

void left_frames(Fiber& self, const void* live_from) {
  const auto at = reinterpret_cast<std::uintptr_t>(live_from);
  self.live_from = at;
  if (at <= self.lowest_shared || !is_on_own_stack(self, at - 1)) [[likely]] // a thread that ends leaves all
    return;
  const std::uintptr_t low = self.lowest_shared;
  self.lowest_shared = at;
  // Where plain accesses race with the end of the frame, no operation says so yet.
  if (is_racing_end(low, at) && leads_to_start(self)) {
    watch_left(low, at);
    g.control->ending.frame_raced = true;
    fingerprint_fence();
  }
  fingerprint_left(low, at);
}

} // namespace reex
