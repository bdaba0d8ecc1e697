// Threads: creation, join, detach, yield.
#include <cerrno>
#include <sched.h>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/process.h"
#include "reex/runtime/core/stacks.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/environment/clock.h"
#include "reex/runtime/order/finding.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/runtime/order/happens_before.h"
#include "reex/runtime/order/race.h"
#include "reex/runtime/record/events.h"
#include "reex/runtime/signals/signals.h"
#include "reex/runtime/threads/donor.h"
#include "reex/runtime/threads/fiber.h"
#include "reex/runtime/threads/thread.h"

using namespace reex;

namespace {

void set_mask(Fiber& made, const pthread_attr_t& attributes) {
  sigset_t mask;
  if (pthread_attr_getsigmask_np(&attributes, &mask) == 0) made.own.blocked = set_of(mask) & ~k_never_blocked;
}

} // namespace

int reex::create_thread(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                        void* argument, void* pc, void* frame) {
  if (g.forked_off)
    refuse("threads in a process that it forked (if by a death test of style fast: use threadsafe)");
  if (!g.controlled) become_zygote(); // returns in a worker, at the start of every execution
  int detach = PTHREAD_CREATE_JOINABLE;
  if (attributes != nullptr) pthread_attr_getdetachstate(attributes, &detach);
  left_frames(*g.current, frame);
  note(Operation::thread_create, nullptr, pc, frame);
  if (attributes != nullptr) {
    std::size_t stack = 0;
    pthread_attr_getstacksize(attributes, &stack);
    if (stack > donor_stack_size()) {
      g.control->status.wanted_stack = stack;
      throw_away(End::more_threads, "a thread asks for a larger stack");
    }
  }
  Fiber* made = create_fiber(start, argument, detach == PTHREAD_CREATE_DETACHED);
  if (made == nullptr) throw_away(End::more_threads, "more threads than donors");
  *thread = made->fs;
  made->created_at = pc;
  witness_creation(*made);
  if (g_telling_events) tell_created(*made);
  if (attributes != nullptr) set_mask(*made, *attributes);
  Status& status = g.control->status;
  if (g.fibers > status.max_threads.load(std::memory_order_relaxed)) status.max_threads.store(g.fibers);
  // The new thread runs to its first visible operation, so that every choice knows its pending operation.
  made->creator = g.current;
  Inside inside;
  switch_to(made);
  return 0;
}

REEX_EXPORT int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                               void* argument) {
  return create_thread(thread, attributes, start, argument, REEX_CALLER, REEX_FRAME);
}

int reex::join_thread(pthread_t thread, void** result, std::uint64_t deadline, void* pc, void* frame) {
  Fiber* target = fiber_of(thread);
  if (target == nullptr) return ESRCH;
  if (target->detached || target->joined) return EINVAL;
  if (target == g.current) return EDEADLK;
  void* label = label_of(*target);
  if (g_watching) left_frames(*g.current, frame);
  if (target->state == FiberState::finished)
    note(Operation::thread_join, label, pc, frame);
  else
    visible_pending(Operation::thread_join, label, pc, frame, deadline, target->id);
  if (deadline != 0) testcancel(); // a try is no cancellation point
  if (target->state != FiberState::finished) {
    note_read(label, 0);
    return ETIMEDOUT;
  }
  if (result != nullptr) *result = target->result;
  target->joined = true;
  order_joined(*target);
  fingerprint_join(*target);
  release_donor(*target);
  return 0;
}

REEX_EXPORT int pthread_join(pthread_t thread, void** result) {
  return join_thread(thread, result, k_never, REEX_CALLER, REEX_FRAME);
}

REEX_EXPORT int pthread_tryjoin_np(pthread_t thread, void** result) noexcept {
  const int error = join_thread(thread, result, 0, REEX_READ_CALLER);
  return error == ETIMEDOUT ? EBUSY : error;
}

REEX_EXPORT int pthread_clockjoin_np(pthread_t thread, void** result, clockid_t clock, const timespec* time) {
  if (time != nullptr && (!is_valid(*time) || !can_wait_by(clock))) return EINVAL;
  return join_thread(thread, result, time == nullptr ? k_never : deadline_of(clock, time), REEX_READ_CALLER);
}

REEX_EXPORT int pthread_timedjoin_np(pthread_t thread, void** result, const timespec* time) {
  if (time != nullptr && !is_valid(*time)) return EINVAL;
  return join_thread(thread, result, time == nullptr ? k_never : deadline_of(CLOCK_REALTIME, time),
                     REEX_READ_CALLER);
}

REEX_EXPORT int pthread_detach(pthread_t thread) noexcept {
  Fiber* target = fiber_of(thread);
  if (target == nullptr) return ESRCH;
  if (target->detached) return EINVAL;
  target->detached = true;
  if (target->state == FiberState::finished) release_donor(*target);
  return 0;
}

REEX_EXPORT int sched_yield() noexcept {
  REEX_READ_POINT(Operation::yield, nullptr);
  note_read(&g, 0); // a loop of yields may be a spin, and no write ends it
  return 0;
}
