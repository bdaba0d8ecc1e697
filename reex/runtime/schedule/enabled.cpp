#include <linux/futex.h>

#include "reex/runtime/core/enabled.h"
#include "reex/runtime/core/objects.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/virtual_time.h"
#include "reex/runtime/descriptors/calls.h"
#include "reex/runtime/descriptors/channels.h"
#include "reex/runtime/descriptors/message_queues.h"
#include "reex/runtime/descriptors/signal_descriptors.h"
#include "reex/runtime/descriptors/system_v.h"
#include "reex/runtime/descriptors/timer_descriptors.h"
#include "reex/runtime/environment/process_id.h"
#include "reex/runtime/signals/signals.h"
#include "reex/runtime/threads/cancel.h"
#include "reex/runtime/threads/scheduling.h"

namespace reex {
namespace {

bool may_time_out(const Pending& pending, bool early) {
  return pending.timed_out || (pending.deadline != k_never && early && g.control->config.timeouts);
}

// By an option as well: the timer of a descriptor for which it waits.
bool may_end(const Pending& pending, bool early) {
  return may_time_out(pending, early) ||
         (early && g.control->config.timeouts && timer_for(pending) != k_never);
}

bool serves_owner(const Mutex& mutex) {
  return mutex.type() == PTHREAD_MUTEX_RECURSIVE || mutex.type() == PTHREAD_MUTEX_ERRORCHECK;
}

bool mutex_free_for(const Fiber& fiber, const void* object) {
  if (fiber.pending.is_unmapped) return true;
  const auto& mutex = *static_cast<const Mutex*>(object);
  if (mutex.owner == 0 || mutex.abandoned()) return true;
  return mutex.held_by(fiber) && serves_owner(mutex);
}

bool locks_mutex(Operation operation) {
  return operation == Operation::mutex_lock || operation == Operation::cond_reacquire;
}

bool locks_rwlock(Operation operation) {
  return operation == Operation::rwlock_read || operation == Operation::rwlock_write;
}

bool can_go_on(const Fiber& fiber, bool early) {
  if (operation_enabled(fiber, early) || has_signal(fiber)) return true;
  return fiber.pending.operation != Operation::cond_reacquire && cancels_wait(fiber);
}

// A thread with a higher rank can run (threads/scheduling.h).
bool is_outranked(const Fiber& fiber) {
  if (!has_rank(fiber.own.scheduling)) return false;
  for (const Fiber* other : alive())
    if (has_rank(other->own.scheduling) && outranks(other->own.scheduling, fiber.own.scheduling) &&
        can_go_on(*other, false))
      return true;
  return false;
}

// -1: nobody, or a thread of another process.
int thread_of(std::int32_t mark) { return mark > 0 ? mark - 1 : -1; }

int holder_of_futex(const void* word) {
  const auto value = __atomic_load_n(static_cast<const std::uint32_t*>(word), __ATOMIC_SEQ_CST);
  return thread_with_id(static_cast<pid_t>(value & FUTEX_TID_MASK));
}

} // namespace

bool faults(const Pending& pending) {
  if (!pending.is_unmapped) return false;
  switch (pending.operation) {
  case Operation::mutex_lock:
  case Operation::mutex_timedlock:
  case Operation::rwlock_read:
  case Operation::rwlock_write:
  case Operation::semaphore_wait:
  case Operation::once:
  case Operation::spin_lock:
    return true;
  default:
    return false;
  }
}

bool operation_enabled(const Fiber& fiber, bool early) {
  const Pending& pending = fiber.pending;
  void* object = pending.object;
  if (faults(pending)) return true;
  switch (pending.operation) {
  case Operation::mutex_lock:
    return mutex_free_for(fiber, object);
  case Operation::mutex_timedlock:
    return mutex_free_for(fiber, object) || may_time_out(pending, early);
  case Operation::cond_reacquire:
    return (pending.notified || pending.spurious || is_notified(fiber) || may_time_out(pending, early) ||
            cancels_wait(fiber)) &&
           mutex_free_for(fiber, object);
  case Operation::rwlock_read:
    return object_at<ReadWriteLock>(object).admits_reader() ||
           object_at<ReadWriteLock>(object).held_for_writing_by(fiber) || may_time_out(pending, early);
  case Operation::rwlock_write: {
    const auto& lock = object_at<ReadWriteLock>(object);
    return lock.admits_writer() || lock.held_for_writing_by(fiber) || is_arriving(pending) ||
           may_time_out(pending, early);
  }
  case Operation::semaphore_wait:
    return object_at<Semaphore>(object).value != 0 || may_time_out(pending, early) || pending.interrupted;
  case Operation::barrier_leave:
    return !pending.is_unmapped && object_at<Barrier>(object).generation != pending.value;
  case Operation::barrier_destroy:
    return object_at<Barrier>(object).leaving == 0;
  case Operation::stream:
    return stream_is_free_for(fiber, object);
  case Operation::once:
    return !object_at<Once>(object).under_way();
  case Operation::spin_lock:
    return object_at<SpinLock>(object).is_free();
  case Operation::futex_sleep:
    return pending.notified || may_time_out(pending, early) || pending.interrupted;
  case Operation::futex_own:
  case Operation::futex_move:
    return pending.notified || may_time_out(pending, early);
  case Operation::thread_join:
    return fiber.joins == nullptr || fiber.joins->state == FiberState::finished || // it has joined it
           may_time_out(pending, early);
  case Operation::sleep:
    return pending.timed_out || pending.deadline <= g_time.now || pending.interrupted ||
           (early && g.control->config.sleeps_any);
  case Operation::channel_read:
  case Operation::channel_write:
  case Operation::channel_accept:
  case Operation::channel_connect:
    tell_signal_descriptors(fiber);
    return (is_late(pending) ? pending.notified : channel_ready(pending)) || may_end(pending, early) ||
           pending.interrupted;
  case Operation::poll:
    tell_signal_descriptors(fiber);
    return (is_late(pending) ? pending.notified : poll_ready(pending)) || may_end(pending, early) ||
           pending.interrupted;
  case Operation::child_wait:
    return (is_late(pending) ? pending.notified : child_ready(pending)) || pending.interrupted;
  case Operation::file_lock:
    return (is_late(pending) ? pending.notified : file_lock_ready(pending)) || pending.interrupted;
  case Operation::message_send:
  case Operation::message_receive:
    return message_queue_ready(pending) || may_time_out(pending, early) || pending.interrupted;
  case Operation::system_v:
    return system_v_ready(pending) || may_time_out(pending, early) || pending.interrupted;
  case Operation::signal_wait:
    return waits_for_sent(fiber) || may_time_out(pending, early) || pending.interrupted;
  case Operation::signal_sleep:
    return pending.interrupted;
  case Operation::imunit_event:
    return held_for(fiber) < 0;
  default:
    return true;
  }
}

Gate gate_of(const Fiber& fiber) {
  const Pending& pending = fiber.pending;
  if (pending.is_unmapped) return Gate::unknown;
  const bool is_robust = locks_mutex(pending.operation) && object_at<Mutex>(pending.object).is_robust();
  const bool prefers_writers =
      locks_rwlock(pending.operation) && !object_at<ReadWriteLock>(pending.object).prefers_readers();
  return is_robust || prefers_writers || shares(fiber) ? Gate::unknown : gate_of(pending.operation);
}

bool may_lock_again(const Fiber& fiber) {
  const Operation operation = fiber.pending.operation;
  if (fiber.pending.is_unmapped) return false;
  return locks_rwlock(operation) || // an error
         (locks_mutex(operation) && serves_owner(object_at<Mutex>(fiber.pending.object)));
}

bool is_enabled(const Fiber& fiber) { return is_enabled(fiber, true); }

bool is_enabled(const Fiber& fiber, bool early) {
  return can_go_on(fiber, early) && !(g.ranked && is_outranked(fiber));
}

bool can_time_out(const Fiber& fiber) {
  return fiber.state == FiberState::live && fiber.pending.deadline != k_never && !fiber.pending.timed_out &&
         !fiber.pending.notified && !is_notified(fiber);
}

bool may_wake_spuriously(const Fiber& fiber) {
  const Pending& pending = fiber.pending;
  return pending.operation == Operation::cond_reacquire && !pending.notified && !pending.timed_out &&
         !is_notified(fiber) && !has_signal(fiber) && !cancels_wait(fiber) &&
         mutex_free_for(fiber, pending.object);
}

int holder_of(const Pending& pending) {
  if (pending.object == nullptr || pending.is_unmapped) return -1;
  switch (pending.operation) {
  case Operation::mutex_lock:
  case Operation::mutex_timedlock:
  case Operation::cond_reacquire:
    return thread_of(object_at<Mutex>(pending.object).owner);
  case Operation::rwlock_read:
  case Operation::rwlock_write:
    return thread_of(object_at<ReadWriteLock>(pending.object).writer);
  case Operation::spin_lock:
    return object_at<SpinLock>(pending.object).owner - 1;
  case Operation::futex_own:
    return holder_of_futex(pending.object);
  case Operation::stream:
    return holder_of_stream(pending.object);
  case Operation::once:
    return object_at<Once>(pending.object).state - 1;
  case Operation::thread_join:
    return static_cast<int>(pending.value);
  default:
    return -1;
  }
}

} // namespace reex
