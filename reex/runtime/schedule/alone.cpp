#include "reex/runtime/schedule/alone.h"

#include <algorithm>

#include "reex/runtime/core/enabled.h"
#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/objects.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/shared_objects.h"
#include "reex/runtime/core/shared_ranges.h"
#include "reex/runtime/core/virtual_time.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/environment/clock.h"
#include "reex/runtime/machine/real_time.h"
#include "reex/runtime/signals/signals.h"
#include "reex/runtime/signals/timers.h"
#include "reex/runtime/threads/fiber.h"

namespace reex {

namespace {

constexpr unsigned k_operations_in_turn = 100; // a thread may wait for another one by asking again and again
unsigned g_in_turn = 0;
// What so many operations take natively, and plain accesses until g_fuel is used up. Not more: a timer whose
// handler fails the test may guard a long beginning.
constexpr std::uint64_t k_turn_lasts = 2000;
constexpr std::uint64_t k_fuel_lasts = 50000;

// In a process that the test forked, the kernel runs signal handlers. A handler that runs ends the sleep.
void sleep_for_real(Fiber& self, std::uint64_t until) {
  if (until <= g_time.now) return;
  const bool slept = pause_really(until - g_time.now);
  if (!slept && self.pending.operation == Operation::sleep) self.pending.interrupted = true;
}

// The next thread that can run; null: none but `self`.
Fiber* next_in_turn(const Fiber& self) {
  Fiber* lowest = nullptr;
  for (Fiber* fiber : alive()) {
    if (fiber == &self || !is_enabled(*fiber)) continue;
    if (fiber->id > self.id) return fiber;
    if (lowest == nullptr) lowest = fiber;
  }
  return lowest;
}

bool gives_way(const Fiber& self) {
  if (self.pending.operation != Operation::yield && ++g_in_turn < k_operations_in_turn) return false;
  g_in_turn = 0;
  return true;
}

void let_run(Fiber* next) {
  g_in_turn = 0;
  switch_to(next);
}

void look_at_clock() {
  catch_up_with_time();
  fire_timers();
  for (Fiber* fiber : alive())
    if (fiber->pending.deadline <= g_time.now) fiber->pending.timed_out = true;
}

std::uint64_t next_deadline() {
  std::uint64_t next = next_timer();
  for (const Fiber* fiber : alive())
    if (fiber->pending.deadline < next) next = fiber->pending.deadline;
  return next;
}

// Threads of another process are not known to such an object.
void refuse_shared(const Pending& pending) {
  const char* kind = info(pending.operation).object;
  const bool is_primitive = !is_access(pending.operation) && kind[0] != 0;
  if (is_primitive && !(g_sharing && is_process_shared(pending.operation, pending.object)) &&
      is_in_shared_memory(pending.object))
    refuse("a synchronization object without the attribute process-shared in memory that it shares with a "
           "process that it forked");
}

bool waits_for_sharers() {
  for (const Fiber* fiber : alive())
    if (shares(*fiber)) return true;
  return false;
}

void sleep_among_sharers(Fiber& self, std::uint64_t next) {
  const std::uint64_t start = real_now();
  await_sharers(self, next);
  if (!g.forked_off) move_time(g_time.now + real_now() - start);
}

// Somebody waits for a descriptor, which other processes may make ready.
bool waits_for_kernel() {
  return std::any_of(alive().begin(), alive().end(), [](const Fiber* fiber) {
    const Operation waits = fiber->pending.operation;
    return waits == Operation::poll || waits == Operation::channel_read ||
           waits == Operation::channel_write || waits == Operation::channel_accept;
  });
}

// Nobody can run.
void sleep_alone(Fiber& self) {
  constexpr std::uint64_t k_look = 1000000;
  const std::uint64_t next = next_deadline();
  if (g.forked_off && waits_for_kernel()) return sleep_for_real(self, std::min(next, g_time.now + k_look));
  if (waits_for_sharers()) return sleep_among_sharers(self, next);
  if (next == k_never) refuse_shared(self.pending);
  if (next == k_never) end_execution(End::deadlock, 0, "the only thread waits for ever");
  if (g.forked_off)
    sleep_for_real(self, next);
  else if (next > g_time.now)
    jump_time(next);
}

// The test goes on.
void let_time_pass(std::uint64_t duration) {
  if (const std::uint64_t timer = next_timer(); timer > g_time.now)
    g_time.now = std::min(timer, g_time.now + duration);
}

} // namespace

void compute_alone(void* pc, void* frame) {
  if (!g.forked_off) {
    let_time_pass(k_fuel_lasts);
    if (next_timer() == k_never) return;
  }
  visible(Operation::yield, nullptr, pc, frame);
}

void wait_alone(Fiber& self) {
  if (g.forked_off) refuse_shared(self.pending);
  for (bool turned = !gives_way(self);;) {
    look_at_clock();
    look_at_sharers();
    if (has_signal(self)) deliver_signals(self);
    const bool able = is_enabled(self);
    if (able && turned) {
      if (claim_shared(self)) return;
      continue;
    }
    turned = true;
    if (Fiber* next = next_in_turn(self); next != nullptr)
      let_run(next);
    else if (!able)
      sleep_alone(self);
    else if (!g.forked_off)
      let_time_pass(k_turn_lasts);
  }
}

void leave_alone(Fiber& self) {
  if (g.live == 0) { // as in a worker
    become_alive(self);
    exit_process(0);
  }
  for (;;) {
    look_at_clock();
    if (Fiber* next = next_in_turn(self); next != nullptr) let_run(next);
    sleep_alone(*g_alive[0]);
  }
}

} // namespace reex
