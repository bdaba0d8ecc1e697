// A thread runs on the stack and the thread-local storage of a donor.
#include <boost/context/detail/fcontext.hpp>
#include <cstring>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/machine/libc.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/runtime/order/happens_before.h"
#include "reex/runtime/order/race.h"
#include "reex/runtime/order/shadow_memory.h"
#include "reex/runtime/record/trace.h"
#include "reex/runtime/threads/donor.h"
#include "reex/runtime/threads/fiber.h"
#include "reex/runtime/threads/keys.h"

namespace reex {

using boost::context::detail::fcontext_t;
using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

namespace {

bool g_capturing = false; // set only while the controller resumes a fiber to record its stack

// The unwinder stops at this frame: an exception that nobody catches must end in terminate().
void fiber_entry(transfer_t from) {
  asm volatile(".cfi_undefined rip");
  static_cast<Fiber*>(from.data)->context = from.fctx;
  g.active = true;
  Fiber& self = *g.current;
  self.entry_frame = static_cast<char*>(__builtin_frame_address(0));
  finish_fiber(self.start(self.argument));
}

void inherit(Personal& made, const Personal& creator) {
  made.blocked = creator.blocked;
  memcpy(made.name, creator.name, sizeof made.name);
}

} // namespace

void use_stack_of(const Fiber& fiber) {
  constexpr std::uintptr_t k_main_stack = std::uintptr_t{8} << 20;
  const auto end = reinterpret_cast<std::uintptr_t>(stack_end(fiber));
  g_stack_low =
      fiber.donor != nullptr ? reinterpret_cast<std::uintptr_t>(fiber.donor->stack_low) : end - k_main_stack;
  g_stack_span = end - g_stack_low;
}

void switch_to(Fiber* next) {
  Fiber* from = g.current;
  from->shadow_top = g_shadow_top;
  from->wrote = g_wrote;
  g_wrote = next->wrote;
  use_stack_of(*next);
  g_shadow_top = next->shadow_top;
  g.current = next;
  stamp_records();
  write_fs(next->fs);
  const transfer_t back = jump_fcontext(static_cast<fcontext_t>(next->context), from);
  static_cast<Fiber*>(back.data)->context = back.fctx;
  while (g_capturing) { // resumed by capture_stack
    record_position(*g.current);
    Fiber* controller = static_cast<Fiber*>(back.data);
    jump_fcontext(static_cast<fcontext_t>(controller->context), g.current);
  }
}

void capture_stack(Fiber& fiber) {
  static Fiber controller;
  Fiber* before = g.current;
  g_capturing = true;
  g.current = &fiber;
  write_fs(fiber.fs);
  jump_fcontext(static_cast<fcontext_t>(fiber.context), &controller);
  g_capturing = false;
  g.current = before;
  write_fs(g_fibers[0].fs);
}

Fiber* create_fiber(void* (*start)(void*), void* argument, bool detached) {
  if (g.fibers == k_max_threads) give_up("the test creates more than 256 threads in one execution");
  Donor* donor = take_donor();
  if (donor == nullptr) return nullptr;
  Fiber& fiber = g_fibers[g.fibers];
  fiber = {};
  inherit(fiber.own, g.current->own);
  fiber.id = static_cast<std::uint16_t>(g.fibers++);
  fiber.state = FiberState::live;
  fiber.detached = detached;
  fiber.fs = donor->fs;
  fiber.donor = donor;
  fiber.start = start;
  fiber.argument = argument;
  fiber.shadow_base = fiber.shadow_top = donor->shadow;
  fiber.context = make_fcontext(donor->stack_high,
                                static_cast<std::size_t>(donor->stack_high - donor->stack_low), fiber_entry);
  ++g.live;
  order_created(fiber);
  fingerprint_created(fiber);
  start_watching();
  return &fiber;
}

void finish_fiber(void* result) {
  Fiber& self = *g.current;
  self.result = result;
  self.own.leaving = true;
  libc().call_tls_dtors(); // thread_local destructors may execute visible operations
  run_key_destructors();
  note(Operation::thread_end, nullptr, nullptr, nullptr);
  self.state = FiberState::finished;
  --g.live;
  if (self.detached) release_donor(self);
  leave_finished(self);
  __builtin_unreachable();
}

} // namespace reex
