// Says whether a thread can execute its pending operation (semantics: "Enabled"). schedule/enabled.cpp
// defines the rule; each family of operations defines its part of it.
//
// Callers: the test process, on the running fiber. The functions read the state of fibers and objects and
// change nothing.
//
// Cost: a few comparisons; for descriptors and children one system call.
#pragma once

#include <cstdint>

#include "reex/runtime/core/fiber.h"

namespace reex {

bool is_enabled(const Fiber& fiber);
// `early`: --timeouts and --sleeps any count, by which waits may end before their time.
bool is_enabled(const Fiber& fiber, bool early);
bool can_time_out(const Fiber& fiber);

// Whether it waits for a condition, and this wait could end at once without a notification.
bool may_wake_spuriously(const Fiber& fiber);

// Whether the pending operation can run, without regard to signals and cancellation.
bool operation_enabled(const Fiber& fiber, bool early);
// Whether the operation looks at an object in memory that is gone. Who has come to a lock may come only now,
// so it can go on.
bool faults(const Pending& pending);

// What the pending operation waits for, as far as the script of a test tells it (order/script.h).
enum class Gate : std::uint8_t {
  none,              // nothing
  free,              // the object is open, or this thread's own and it may lock it again
  free_to_read,      // or readers have it
  notified,          // it was notified
  notified_and_free, // both
  unknown,
};
Gate gate_of(const Fiber& fiber);
// If the object is of no special kind.
constexpr Gate gate_of(Operation operation) {
  switch (operation) {
  case Operation::thread_start:
  case Operation::thread_end:
  case Operation::mutex_trylock:
  case Operation::mutex_unlock:
  case Operation::cond_wait:
  case Operation::cond_signal:
  case Operation::cond_broadcast:
  case Operation::rwlock_tryread:
  case Operation::rwlock_trywrite:
  case Operation::rwlock_unlock:
  case Operation::semaphore_trywait:
  case Operation::semaphore_post:
  case Operation::semaphore_value:
  case Operation::barrier_arrive:
  case Operation::once_done:
  case Operation::spin_trylock:
  case Operation::spin_unlock:
  case Operation::futex_wait:
  case Operation::futex_wake:
  case Operation::futex_lock:
  case Operation::futex_trylock:
  case Operation::futex_unlock:
  case Operation::atomic_load:
  case Operation::atomic_store:
  case Operation::atomic_rmw:
  case Operation::atomic_cas:
  case Operation::atomic_fence:
  case Operation::plain_read:
  case Operation::plain_write:
  case Operation::library_read:
  case Operation::library_write:
  case Operation::yield:
  case Operation::stream:
  case Operation::descriptor_write:
  case Operation::process_fork:
  case Operation::process_exit:
    return Gate::none;
  case Operation::mutex_lock:
  case Operation::rwlock_write:
  case Operation::semaphore_wait:
  case Operation::once:
  case Operation::spin_lock:
    return Gate::free;
  case Operation::rwlock_read:
    return Gate::free_to_read;
  case Operation::futex_sleep:
  case Operation::futex_own:
  case Operation::futex_move:
    return Gate::notified;
  case Operation::cond_reacquire:
    return Gate::notified_and_free;
  default:
    return Gate::unknown;
  }
}
// Whether whoever comes to the operation can execute it, whatever there is, unless threads have ranks. A
// stream may be locked, which the script does not tell.
constexpr bool is_free_of_waits(Operation operation) {
  return gate_of(operation) == Gate::none && operation != Operation::stream;
}
// Whether the pending operation locks what its owner may lock again, with an error if need be.
bool may_lock_again(const Fiber& fiber);

// Whether no other thread has locked the stream, and the number of the one that has locked it, or -1
// (primitives/stream_locks.cpp).
bool stream_is_free_for(const Fiber& fiber, const void* stream);
int holder_of_stream(const void* stream);

// Whether the thread has a signal to deliver (signals.cpp).
bool has_signal(const Fiber& fiber);

// The fiber that holds what the pending operation waits for; -1 if there is none, or if there are several.
int holder_of(const Pending& pending);

// The ordering of its schedule for which the thread is held at an event (imunit/events.cpp); -1: it is not
// held.
int held_for(const Fiber& fiber);

} // namespace reex
