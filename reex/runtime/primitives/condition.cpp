// Condition variables. A wait is two points: its entry, where the thread holds the mutex, and the
// reacquisition of the mutex. Which waiter a notification wakes is a choice.
#include <cerrno>
#include <cstring>

#include "reex/runtime/core/objects.h"
#include "reex/runtime/core/shared_ranges.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/environment/clock.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/runtime/order/happens_before.h"
#include "reex/runtime/order/lifetime.h"
#include "reex/runtime/primitives/primitives.h"
#include "reex/runtime/record/trace.h"
#include "reex/runtime/record/unexplored.h"
#include "reex/search/search.h"

using namespace reex;

namespace {

bool waits_for(const Pending& pending) {
  return pending.operation == Operation::cond_reacquire && !pending.notified && !pending.timed_out;
}

// The thread's wait for the condition; null if there is none. A thread in a handler is still a waiter.
Pending* wait_of(Fiber& fiber, const void* condition) {
  if (fiber.state != FiberState::live) return nullptr;
  if (waits_for(fiber.pending) && is_same_memory(fiber.condition, condition)) return &fiber.pending;
  for (InterruptedWait* wait = fiber.interrupted; wait != nullptr; wait = wait->outer)
    if (waits_for(wait->pending) && is_same_memory(wait->condition, condition)) return &wait->pending;
  return nullptr;
}

unsigned waiters(const void* condition, std::uint16_t* ids) {
  unsigned count = 0;
  for (Fiber* fiber : alive())
    if (wait_of(*fiber, condition) != nullptr && !is_listed(*fiber)) ids[count++] = fiber->id;
  return count;
}

bool is_shared_now(const void* condition) {
  return g_sharing && static_cast<const Condition*>(condition)->process_shared;
}

void notify(Fiber& waiter, const void* condition) {
  wait_of(waiter, condition)->notified = true;
  fingerprint_touch(waiter);
}

int wait(pthread_cond_t* object, pthread_mutex_t* lock, std::uint64_t deadline, void* pc, void* frame) {
  auto& mutex = object_at<Mutex>(lock);
  const SharedUse use;
  visible(Operation::cond_wait, object, pc, frame);
  testcancel();
  Fiber& self = *g.current;
  if (const int error = unlock_for_wait(mutex); error != 0) return error;
  release_to(lock);
  fingerprint_inner_operation(Operation::mutex_unlock, lock);
  note_write(lock);
  self.condition = object;
  if (is_shared_now(object)) join_waiters(self, object);
  wait_until(Operation::cond_reacquire, lock, deadline_of_wait(deadline));
  const bool was_listed = is_listed(self);
  const bool notified = was_listed ? leave_waiters(self) : self.pending.notified;
  const bool timed_out = !notified && self.pending.timed_out;
  if (notified) {
    self.past_deadlines = 0;
    if (g.active && !g.control->config.spurious) note_wake(pc);
  }
  self.condition = nullptr;
  const int error = lock_after_wait(mutex);
  if (!notified) testcancel(); // otherwise the notification would be lost
  return error != 0 ? error : timed_out ? ETIMEDOUT : 0;
}

} // namespace

int reex::wait_on_condition(pthread_cond_t* object, pthread_mutex_t* lock, clockid_t clock,
                            const timespec* time, void* pc, void* frame) {
  if (!is_valid(*time) || !can_wait_by(clock)) return EINVAL;
  return wait(object, lock, deadline_of(clock, time), pc, frame);
}

REEX_EXPORT int pthread_cond_init(pthread_cond_t* object, const pthread_condattr_t* attributes) noexcept {
  begin_life(object, REEX_CALLER);
  memset(object, 0, sizeof *object);
  clockid_t clock = CLOCK_REALTIME;
  int sharing = PTHREAD_PROCESS_PRIVATE;
  if (attributes != nullptr) {
    pthread_condattr_getclock(attributes, &clock);
    pthread_condattr_getpshared(attributes, &sharing);
  }
  auto& condition = object_at<Condition>(object);
  condition.clock = clock;
  condition.process_shared = sharing == PTHREAD_PROCESS_SHARED;
  return 0;
}

REEX_EXPORT int pthread_cond_destroy(pthread_cond_t* object) noexcept {
  auto& condition = object_at<Condition>(object);
  end_life(object, condition.life, "condition", REEX_CALLER);
  condition.life = k_destroyed;
  return 0;
}

REEX_EXPORT int pthread_cond_wait(pthread_cond_t* object, pthread_mutex_t* lock) {
  return wait(object, lock, k_never, REEX_CALLER, REEX_FRAME);
}

REEX_EXPORT int pthread_cond_timedwait(pthread_cond_t* object, pthread_mutex_t* lock, const timespec* time) {
  return wait_on_condition(object, lock, object_at<Condition>(object).clock, time, REEX_READ_CALLER);
}

REEX_EXPORT int pthread_cond_clockwait(pthread_cond_t* object, pthread_mutex_t* lock, clockid_t clock,
                                       const timespec* time) {
  return wait_on_condition(object, lock, clock, time, REEX_READ_CALLER);
}

REEX_EXPORT int pthread_cond_signal(pthread_cond_t* object) noexcept {
  const SharedUse use;
  REEX_POINT(Operation::cond_signal, object);
  static std::uint16_t ids[k_max_threads]; // too large for the stack of a coroutine
  const unsigned count = waiters(object, ids);
  if (count == 0) {
    record_woken(is_shared_now(object) ? notify_waiters(object, 1) : 0);
    return 0;
  }
  record_woken(1);
  notify(choose_waiter(ids, count), object);
  return 0;
}

REEX_EXPORT int pthread_cond_broadcast(pthread_cond_t* object) noexcept {
  const SharedUse use;
  REEX_POINT(Operation::cond_broadcast, object);
  static std::uint16_t ids[k_max_threads]; // too large for the stack of a coroutine
  const unsigned count = waiters(object, ids);
  record_woken(count + (is_shared_now(object) ? notify_waiters(object, ~0U) : 0));
  for (unsigned i = 0; i < count; ++i) notify(*live_thread(ids[i]), object);
  return 0;
}
