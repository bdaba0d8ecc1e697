// Threads: creation, join, detach, yield.
#include <algorithm>
#include <cerrno>
#include <sched.h>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/process.h"
#include "reex/runtime/core/stacks.h"
#include "reex/runtime/core/virtual_time.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/environment/clock.h"
#include "reex/runtime/order/buffers.h"
#include "reex/runtime/order/finding.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/runtime/order/happens_before.h"
#include "reex/runtime/order/race.h"
#include "reex/runtime/record/events.h"
#include "reex/runtime/record/unexplored.h"
#include "reex/runtime/threads/attributes.h"
#include "reex/runtime/threads/donor.h"
#include "reex/runtime/threads/fiber.h"
#include "reex/runtime/threads/scheduling.h"
#include "reex/runtime/threads/thread.h"

using namespace reex;

namespace {

bool is_joined_by(const Fiber& target, const Fiber* by) {
  return by != nullptr && target.joiner == by && by->joins == &target;
}

int error_of_gone(pthread_t thread) {
  const Fiber* const gone = gone_fiber(thread);
  return gone != nullptr && !gone->joined ? EINVAL : ESRCH;
}

} // namespace

int reex::create_thread(pthread_t* thread, const pthread_attr_t* given, void* (*start)(void*), void* argument,
                        void* pc, void* frame) {
  if (!g.controlled && !g.forked_off) become_zygote(); // returns in a worker, at the start of every execution
  Attributes attributes;
  Scheduling scheduling = inherited(g.current->own.scheduling);
  if (const int error = read_attributes(attributes, given); error != 0) return error;
  if (const int error = apply_scheduling(scheduling, attributes); error != 0) return error;
  left_frames(*g.current, frame);
  note(Operation::thread_create, nullptr, pc, frame);
  if (attributes.stack_end == nullptr && attributes.stack_size > donor_stack_size()) {
    if (g.forked_off) refuse("a larger stack than other threads have, in a process that it forked");
    g.control->status.wanted_stack = attributes.stack_size;
    throw_away(End::more_threads, "a thread asks for a larger stack");
  }
  Fiber* made = create_fiber(start, argument, attributes, scheduling);
  if (made == nullptr && g.forked_off) return EAGAIN;
  if (made == nullptr) throw_away(End::more_threads, "more threads than donors");
  *thread = made->fs;
  made->created_at = pc;
  made->created = g_time.now;
  if (has_rank(made->own.scheduling)) {
    g.ranked = true;
    fingerprint_fence();
  }
  if (g.forked_off) { // it begins when it is its turn
    note_child_threads();
    return 0;
  }
  witness_creation(*made);
  if (g_telling_events) tell_created(*made);
  Status& status = g.control->status;
  if (g.created > status.max_threads.load(std::memory_order_relaxed)) status.max_threads.store(g.created);
  // The new thread runs to its first visible operation, so that every choice knows its pending operation.
  made->creator = g.current;
  {
    Inside inside;
    switch_to(made);
  }
  const Scheduling& own = g.current->own.scheduling;
  if (has_rank(scheduling) && has_rank(own) && outranks(scheduling, own))
    visible(Operation::yield, nullptr, pc, frame); // it comes first
  return 0;
}

namespace {

struct Notification {
  sigevent event;
  std::uint64_t blocked;
};

// It begins while its creator waits in notify_by_thread.
void* run_notification(void* of_creator) {
  const Notification own = *static_cast<const Notification*>(of_creator);
  g.current->own.blocked = own.blocked;
  own.event.sigev_notify_function(own.event.sigev_value);
  return nullptr;
}

} // namespace

void reex::notify_by_thread(const sigevent& event, std::uint64_t blocked, void* pc, void* frame) {
  pthread_t thread{};
  Notification wanted{event, blocked};
  if (create_thread(&thread, event.sigev_notify_attributes, run_notification, &wanted, pc, frame) == 0)
    pthread_detach(thread);
}

REEX_EXPORT int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                               void* argument) {
  void* const pc = REEX_CALLER;
  will_write_buffer(thread, pc);
  writes_object(thread, pc); // as in glibc, the new thread finds its number there
  return create_thread(thread, attributes, start, argument, pc, REEX_FRAME);
}

// Errors as glibc gives them, in its order.
int reex::join_thread(pthread_t thread, void** result, std::uint64_t deadline, void* pc, void* frame) {
  Fiber* target = fiber_named(thread, pc);
  Fiber& self = *g.current;
  if (deadline != k_never) fingerprint_dark(true); // whether it waits depends on when the other one ends
  if (target == nullptr) return error_of_gone(thread);
  if (target->detached) return EINVAL;
  const bool waits_for_self = target == &self || (is_joined_by(self, target) && !target->own.cancelled);
  if (waits_for_self && (!self.own.cancelled || self.own.cancel_disabled)) return EDEADLK;
  if (is_joined_by(*target, target->joiner)) return EINVAL; // only one thread may wait
  void* label = label_of(*target);
  if (g_watching) left_frames(self, frame);
  if (target->state == FiberState::finished && !is_async_target(self)) {
    note(Operation::thread_join, label, pc, frame);
  } else {
    self.joins = target;
    if (deadline != 0) target->joiner = &self;
    visible_pending(Operation::thread_join, label, pc, frame, deadline, target->id);
    self.joins = nullptr;
  }
  if (deadline != 0) testcancel(); // a try is no cancellation point
  if (target->state != FiberState::finished) {
    note_read(label, 0);
    return ETIMEDOUT;
  }
  if (result != nullptr) *result = target->result;
  target->joined = true;
  self.clock.joined = true;
  order_joined(*target);
  fingerprint_join(*target);
  let_go(*target);
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
  Fiber* target = fiber_named(thread, REEX_CALLER);
  if (target == nullptr) return error_of_gone(thread);
  if (target->detached) return EINVAL;
  if (is_joined_by(*target, target->joiner)) return 0; // the thread that waits for it goes on waiting
  fingerprint_dark(true);                              // when it has ended, others may get what it has used
  target->detached = true;
  if (target->state == FiberState::finished) let_go(*target);
  return 0;
}

REEX_EXPORT int sched_yield() noexcept {
  REEX_READ_POINT(Operation::yield, nullptr);
  note_read(&g, 0); // a loop of yields may be a spin, and no write ends it
  return 0;
}
