#include "reex/runtime/threads/cancel.h"
#include "reex/runtime/order/fingerprint.h"

#include <cerrno>
#include <pthread.h>

#include "reex/runtime/core/shared_objects.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/machine/modules.h"
#include "reex/runtime/order/finding.h"
#include "reex/runtime/order/happens_before.h"

namespace reex {
namespace {

bool obeys(const Fiber& fiber) {
  const Personal& own = fiber.own;
  return own.cancelled && !own.cancel_disabled && !own.leaving;
}

// Waits that are cancellation points whichever function makes them.
bool is_cancellation_point(Operation operation) {
  switch (operation) {
  case Operation::cond_reacquire:
  case Operation::semaphore_wait:
  case Operation::thread_join:
  case Operation::sleep:
  case Operation::signal_wait:
  case Operation::signal_sleep:
    return true;
  default:
    return false;
  }
}

} // namespace

bool cancels_wait(const Fiber& fiber) {
  return obeys(fiber) &&
         (fiber.own.cancel_at_once || fiber.own.at_point || is_cancellation_point(fiber.pending.operation));
}

void testcancel() {
  if (!obeys(*g.current)) return;
  acquire_from(label_of(*g.current));
  if (g_holds_shared) release_shared();
  leave_thread(PTHREAD_CANCELED);
}

void testcancel_at_once(const Fiber& self) {
  if (self.own.cancel_at_once) testcancel();
}

void testcancel_here() {
  if (g.current->own.at_point) testcancel();
}

bool ended_by_cancellation() { return cancels_wait(*g.current); }

// The other threads may cancel this one right before the call, so that is a point of its own. If no code
// calls pthread_cancel, nothing can come of it.
void reach_cancellation_point(void* pc, void* frame) {
  if (!g.active) return;
  if (cancels_threads() && !is_alone()) {
    void* label = label_of(*g.current);
    visible(Operation::cancel_test, label, pc, frame);
    note_read(label, 0);
  }
  testcancel_here();
}

namespace {

// A cancellation may come at any moment from now on. The point is one that a loop without other operations
// stops at: it waits to be cancelled, and must let those run who may do that.
void obey_at_once(void* pc, void* frame) {
  const Fiber& self = *g.current;
  if (!self.own.cancel_at_once || self.own.cancel_disabled || self.own.leaving) return;
  if (g.active && cancels_threads() && !is_alone() && !self.own.cancelled) {
    void* label = label_of(self);
    visible(Operation::cancel_test, label, pc, frame);
    note_read(label, 0);
  }
  testcancel();
}

} // namespace
} // namespace reex

using namespace reex;

REEX_EXPORT int pthread_cancel(pthread_t thread) {
  Fiber* target = fiber_named(thread, REEX_CALLER);
  if (target == nullptr) return ESRCH;
  REEX_POINT(Operation::thread_cancel, label_of(*target));
  if (target != g.current) report_async_target(*target);
  target->own.cancelled = true;
  release_to(label_of(*target));
  end_spin(*target);
  if (target == g.current) testcancel_at_once(*target);
  return 0;
}

REEX_EXPORT void pthread_testcancel() {
  void* label = label_of(*g.current);
  REEX_READ_POINT(Operation::cancel_test, label);
  testcancel();
  note_read(label, 0);
}

REEX_EXPORT int pthread_setcancelstate(int state, int* before) {
  if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE) return EINVAL;
  Fiber& self = *g.current;
  if (before != nullptr) *before = self.own.cancel_disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
  self.own.cancel_disabled = state == PTHREAD_CANCEL_DISABLE;
  obey_at_once(REEX_READ_CALLER);
  return 0;
}

REEX_EXPORT int pthread_setcanceltype(int type, int* before) {
  if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
  Fiber& self = *g.current;
  if (before != nullptr)
    *before = self.own.cancel_at_once ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
  self.own.cancel_at_once = type == PTHREAD_CANCEL_ASYNCHRONOUS;
  obey_at_once(REEX_READ_CALLER);
  return 0;
}
