// A thread runs on the stack and the thread-local storage of a donor.
#include <boost/context/detail/fcontext.hpp>
#include <cstdio>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <unwind.h>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/stacks.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/machine/libc.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/order/annotated.h"
#include "reex/runtime/order/dormant_code.h"
#include "reex/runtime/order/finding.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/runtime/order/happens_before.h"
#include "reex/runtime/order/race.h"
#include "reex/runtime/order/shadow_memory.h"
#include "reex/runtime/record/trace.h"
#include "reex/runtime/signals/signals.h"
#include "reex/runtime/threads/donor.h"
#include "reex/runtime/threads/fiber.h"
#include "reex/runtime/threads/keys.h"

namespace reex {

using boost::context::detail::fcontext_t;
using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

namespace {

// Set only while a suspended fiber is resumed to look at its own stack.
void (*g_look)(Fiber& self) = nullptr;
bool g_found_start = false;

// The unwinder stops at this frame: an exception that nobody catches must end in terminate().
void fiber_entry(transfer_t from) {
  asm volatile(".cfi_undefined rip");
  static_cast<Fiber*>(from.data)->context = from.fctx;
  g.active = g.controlled;
  Fiber& self = *g.current;
  self.entry_frame = static_cast<char*>(__builtin_frame_address(0));
  self.entry = reinterpret_cast<std::uintptr_t>(&fiber_entry);
  finish_fiber(self.start(self.argument));
}

// The fiber looks at its own stack, from where it is suspended.
void look_from(Fiber& fiber, void (*look)(Fiber& self)) {
  static Fiber visitor;
  Fiber* const before = g.current;
  const std::uint64_t fs = read_fs();
  g_look = look;
  g.current = &fiber;
  write_fs(fiber.fs);
  fiber.context = jump_fcontext(static_cast<fcontext_t>(fiber.context), &visitor).fctx;
  g_look = nullptr;
  g.current = before;
  write_fs(fs);
}

_Unwind_Reason_Code visit_frame(_Unwind_Context* context, void* of) {
  if (_Unwind_GetRegionStart(context) != static_cast<Fiber*>(of)->entry) return _URC_NO_REASON;
  g_found_start = true;
  return _URC_END_OF_STACK;
}

void look_for_start(Fiber& self) {
  g_found_start = false;
  _Unwind_Backtrace(visit_frame, &self);
}

// Slots of threads that are gone, for later threads.
std::uint16_t g_gone[k_max_threads];
unsigned g_gone_count = 0;

Fiber* take_gone(unsigned at) {
  const std::uint16_t slot = g_gone[at];
  g_gone[at] = g_gone[--g_gone_count];
  return &g_fibers[slot];
}

// Which slot a thread gets makes no difference to the test. One that does not follow all that its last thread
// did would hide races of this one (happens_before.cpp); it is taken if no other is left.
Fiber* take_slot(bool& is_reused) {
  is_reused = true;
  for (unsigned i = g_gone_count; i-- > 0;)
    if (may_follow(g_gone[i])) return take_gone(i);
  if (g.fibers == k_max_threads) {
    if (g_gone_count == 0) return nullptr;
    stop_looking_for_races();
    return take_gone(g_gone_count - 1);
  }
  is_reused = false;
  return &g_fibers[g.fibers++];
}

[[noreturn]] void too_many_alive() {
  char words[96];
  snprintf(words, sizeof words, "more than %u threads alive at once; reex handles %u", k_max_threads,
           k_max_threads);
  give_up(words);
}

void inherit(Personal& made, const Personal& creator) {
  made.blocked = creator.blocked;
  memcpy(made.name, creator.name, sizeof made.name);
}

} // namespace

void use_stack_of(const Fiber& fiber) {
  const auto end = reinterpret_cast<std::uintptr_t>(stack_end(fiber));
  g_stack_low =
      fiber.donor != nullptr ? reinterpret_cast<std::uintptr_t>(fiber.stack_low) : end - k_main_stack;
  g_stack_span = end - g_stack_low;
  const bool on_donor = fiber.donor != nullptr && !fiber.has_given_stack;
  const auto storage_end = on_donor ? reinterpret_cast<std::uintptr_t>(fiber.donor->end) : end;
  g_own_low = g_stack_low;
  g_own_span = storage_end - g_own_low;
}

void switch_to(Fiber* next) {
  Fiber* from = g.current;
  from->shadow_top = g_shadow_top < from->shadow_base ? from->shadow_base : g_shadow_top;
  from->wrote = g_wrote;
  g_wrote = next->wrote;
  use_stack_of(*next);
  g_shadow_top = next->shadow_top;
  g.current = next;
  stamp_records();
  write_fs(next->fs);
  transfer_t back = jump_fcontext(static_cast<fcontext_t>(next->context), from);
  static_cast<Fiber*>(back.data)->context = back.fctx;
  while (g_look != nullptr) { // resumed by look_from
    g_look(*g.current);
    back = jump_fcontext(back.fctx, g.current);
    static_cast<Fiber*>(back.data)->context = back.fctx;
  }
}

void capture_stack(Fiber& fiber) {
  look_from(fiber, [](Fiber& self) { record_position(self); });
}

bool leads_to_start(Fiber& fiber) {
  Inside inside;
  if (&fiber == g.current)
    look_for_start(fiber);
  else
    look_from(fiber, look_for_start);
  return g_found_start;
}

namespace {

void give_stack(Fiber& made, const Attributes& attributes) {
  const Donor& donor = *made.donor;
  made.has_given_stack = attributes.stack_end != nullptr;
  made.told_end = made.has_given_stack ? attributes.stack_end : donor.end;
  made.told_size = attributes.stack_size;
  made.told_guard = attributes.guard_size;
  made.stack_low = made.has_given_stack ? made.told_end - made.told_size : donor.stack_low;
  made.stack_high = made.has_given_stack ? made.told_end : donor.stack_high;
  made.context =
      make_fcontext(made.stack_high, static_cast<std::size_t>(made.stack_high - made.stack_low), fiber_entry);
}

// In a process that the test forked, which may want to see what an overflow does: the stack ends where it is
// said to. The threads of a worker may use all of the donor's.
void guard_stack(const Fiber& made) {
  if (made.has_given_stack) return;
  constexpr std::uintptr_t k_page = 4096;
  const auto end = reinterpret_cast<std::uintptr_t>(made.told_end);
  const auto low = reinterpret_cast<std::uintptr_t>(made.stack_low);
  const std::uintptr_t told_low = (end - made.told_size) & ~(k_page - 1);
  const std::uintptr_t guard = (made.told_guard + k_page - 1) & ~(k_page - 1);
  if (told_low <= low + guard) return; // the donor's own guard lies there
  raw_syscall(SYS_mprotect, static_cast<long>(low), static_cast<long>(end - low), PROT_READ | PROT_WRITE);
  raw_syscall(SYS_mprotect, static_cast<long>(told_low - guard), static_cast<long>(guard), PROT_NONE);
}

} // namespace

Fiber* create_fiber(void* (*start)(void*), void* argument, const Attributes& attributes,
                    const Scheduling& scheduling) {
  if (g.created == k_max_created) {
    lose_patience(); // it may create threads until a sleeper says stop
    give_up("more than 30000 threads created in one execution");
  }
  Donor* donor = take_donor();
  if (donor == nullptr && g.forked_off) donor = take_new_donor();
  if (donor == nullptr) return nullptr;
  bool is_reused = false;
  Fiber* const slot = take_slot(is_reused);
  if (slot == nullptr) too_many_alive();
  Fiber& fiber = *slot;
  if (is_reused) fingerprint_reuse(fiber);
  new (slot) Fiber{}; // in its place, and not copied there
  inherit(fiber.own, g.current->own);
  fiber.id = static_cast<std::uint16_t>(g.created++);
  fiber.slot = static_cast<std::uint16_t>(slot - g_fibers);
  fiber.detached = attributes.detached;
  fiber.own.scheduling = scheduling;
  fiber.has_explicit_scheduling = attributes.explicit_scheduling;
  if (attributes.has_mask) fiber.own.blocked = attributes.mask & ~k_never_blocked;
  fiber.fs = donor->fs;
  fiber.donor = donor;
  donor->user = &fiber;
  donor->user_id = fiber.id;
  fiber.start = start;
  fiber.argument = argument;
  fiber.shadow_base = fiber.shadow_top = donor->shadow;
  give_stack(fiber, attributes);
  become_alive(fiber);
  if (g_code_was_visited) put_code_to_sleep();
  clear_values(fiber);
  if (g.forked_off) {
    separate_calls(fiber, fiber.shadow_top);
    guard_stack(fiber);
    return &fiber;
  }
  annotate_created(fiber);
  order_created(fiber, is_reused);
  fingerprint_created(fiber);
  start_watching();
  return &fiber;
}

void begin_threads() {
  forget_threads();
  g_gone_count = 0;
}

void let_go(Fiber& gone) {
  release_donor(gone);
  if (gone.slot != 0) g_gone[g_gone_count++] = gone.slot;
}

void finish_fiber(void* result) {
  Fiber& self = *g.current;
  self.result = result;
  self.own.leaving = true;
  libc().call_tls_dtors(); // thread_local destructors may execute visible operations
  run_key_destructors();
  char* const above_all = self.donor != nullptr ? self.donor->end : nullptr;
  left_frames(self, above_all);
  events_behind(nullptr, nullptr);
  if (is_async_target(self))
    visible(Operation::thread_end, nullptr, nullptr, above_all);
  else
    note(Operation::thread_end, nullptr, nullptr, nullptr);
  if (self.own.robust != 0) order_abandoning();
  hand_over_at_end(self);
  if (g_loading != 0) loading_ended(self);
  become_finished(self);
  if (self.detached && g.live != 0) let_go(self); // the last thread goes on, to the end of the process
  leave_finished(self);
  __builtin_unreachable();
}

} // namespace reex
