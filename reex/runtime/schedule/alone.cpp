#include "reex/runtime/schedule/alone.h"

#include "reex/runtime/core/enabled.h"
#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/shared_ranges.h"
#include "reex/runtime/core/virtual_time.h"
#include "reex/runtime/environment/clock.h"
#include "reex/runtime/machine/real_time.h"
#include "reex/runtime/signals/signals.h"
#include "reex/runtime/signals/timers.h"

namespace reex {

namespace {

// In a process that the test forked, the kernel runs signal handlers. A handler that runs ends the sleep.
void sleep_for_real(Fiber& self, std::uint64_t until) {
  if (until <= g_time.now) return;
  const bool slept = pause_really(until - g_time.now);
  if (!slept && self.pending.operation == Operation::sleep) self.pending.interrupted = true;
}

} // namespace

// The state of primitives belongs to one process: threads of another one are not known to it.
void refuse_shared(const Pending& pending) {
  const char* kind = info(pending.operation).object;
  const bool is_primitive = !is_access(pending.operation) && kind[0] != 0;
  if (is_primitive && is_in_shared_memory(pending.object))
    refuse("a synchronization object in memory that it shares with a process that it forked");
}

void wait_alone(Fiber& self) {
  if (g.forked_off) refuse_shared(self.pending);
  for (;;) {
    catch_up_with_time();
    fire_timers();
    if (has_signal(self)) deliver_signals(self);
    if (is_enabled(self)) return;
    const std::uint64_t timer = next_timer();
    const std::uint64_t next = timer < self.pending.deadline ? timer : self.pending.deadline;
    if (next == k_never) refuse_shared(self.pending);
    if (next == k_never) end_execution(End::deadlock, 0, "the only thread waits for ever");
    if (g.forked_off)
      sleep_for_real(self, next);
    else if (next > g_time.now)
      g_time.now = next;
    catch_up_with_time();
    self.pending.timed_out = self.pending.deadline <= g_time.now;
  }
}

} // namespace reex
