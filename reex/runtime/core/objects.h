// How the runtime lays out the objects of POSIX threads.
//
// Callers: primitives, on the running fiber; the scheduler and reports read them.
//
// Invariants: each layout fits into the type of POSIX that it replaces. The static initializers of POSIX give
// the initial state. All state lies in the test's own memory, so the snapshot covers it: a restore and a new
// worker need no further work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <pthread.h>
#include <semaphore.h>

#include "reex/runtime/core/fiber.h"
#include "reex/runtime/core/shared_objects.h"

namespace reex {

// What destroying an object leaves in it. Every initializer, and memory that is used anew, leaves 0.
inline constexpr std::uint32_t k_destroyed = 0x9d3a51c7;

struct Mutex { // the first fields are those of glibc, for debuggers
  std::int32_t locked;
  std::uint32_t depth;
  std::int32_t owner;     // number of the thread + 1 (or what owner_mark says); 0: none
  std::uint32_t recovery; // a value of Recovery; for a robust mutex
  std::int32_t
      kind; // PTHREAD_MUTEX_*_NP in the low two bits; k_robust, k_inherit, k_protect, k_process_shared
  std::int32_t ceiling; // stored and returned on request; no thread has a priority
  void* locked_at;      // return address of the call by which the owner locked it
  std::uint32_t life;   // k_destroyed or 0

  enum Recovery : std::uint32_t { k_consistent, k_owner_died, k_not_recoverable };
  static constexpr std::int32_t k_robust = 16;
  static constexpr std::int32_t k_inherit = 32;
  static constexpr std::int32_t k_protect = 64;
  static constexpr std::int32_t k_process_shared = 128;

  int type() const { return kind & 3; }
  bool is_robust() const { return (kind & k_robust) != 0; }
  bool process_shared() const { return (kind & k_process_shared) != 0; }
  bool held_by(const Fiber& fiber) const { return owner == owner_mark(fiber, process_shared()); }
  // For note_change.
  std::uint64_t content() const {
    return static_cast<std::uint64_t>(owner) << 32 | static_cast<std::uint64_t>(depth) << 2 | recovery;
  }
  // A robust mutex whose owner ended without unlocking it. The next thread may lock it, and makes its state
  // consistent.
  bool abandoned() const { return is_robust() && owner != 0 && is_owner_gone(owner, process_shared()); }
};

struct Condition {
  std::int32_t clock; // CLOCK_REALTIME by default
  std::uint32_t life;
  bool process_shared;
};

struct ReadWriteLock { // static initializers of glibc set the kind, which lies where it is there
  std::int32_t readers;
  std::int32_t writer;          // as Mutex::owner
  std::int32_t waiting_writers; // that have found the lock held; counted unless readers are preferred
  std::int32_t handed_over;     // a writer has left the lock to those that wait
  std::uint32_t life;
  bool process_shared;
  std::int32_t others[6];
  std::int32_t kind; // PTHREAD_RWLOCK_PREFER_*_NP

  bool prefers_readers() const { return kind == PTHREAD_RWLOCK_PREFER_READER_NP; }
  bool admits_reader() const {
    return writer == 0 && handed_over == 0 &&
           (kind != PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP || waiting_writers == 0);
  }
  bool admits_writer() const { return writer == 0 && readers == 0; }

  bool held_for_writing_by(const Fiber& fiber) const { return writer == owner_mark(fiber, process_shared); }
  std::uint64_t content() const {
    return static_cast<std::uint64_t>(writer) << 32 | static_cast<std::uint32_t>(readers);
  }
};

// The value of a pending rwlock_write: the thread comes to the lock, which is a step of its own where readers
// wait for writers that wait.
inline constexpr std::uint64_t k_arriving = 1;
inline bool is_arriving(const Pending& pending) { return pending.value == k_arriving; }

struct Semaphore {
  std::uint32_t value;
  std::uint32_t life;
  bool process_shared;

  std::uint64_t content() const { return ~std::uint64_t{value}; } // lower when it is posted, like an unlock
  int gate() const { return value == 0 ? 1 : 0; }                 // as in fingerprint_gate
};

struct Barrier {
  std::uint32_t threshold;
  std::uint32_t arrived;
  std::uint32_t generation;
  std::uint32_t
      leaving; // threads that were let through and have not returned: destroying the barrier waits for them
  std::uint32_t life;
  bool process_shared;
};

struct SpinLock {
  std::int32_t owner; // number of the thread + 1; 0: none; or k_destroyed

  bool is_free() const { return owner == 0 || static_cast<std::uint32_t>(owner) == k_destroyed; }

  std::uint64_t content() const { return static_cast<std::uint64_t>(owner); }
};

struct Once {
  std::int32_t state; // k_done, or 0, or the number + 1 of the thread that executes the function

  static constexpr std::int32_t k_done = -1;
  bool under_way() const { return state > 0; }
};

static_assert(offsetof(ReadWriteLock, kind) == offsetof(pthread_rwlock_t, __data.__flags));
static_assert(sizeof(Mutex) <= sizeof(pthread_mutex_t) && sizeof(Condition) <= sizeof(pthread_cond_t));
static_assert(sizeof(ReadWriteLock) <= sizeof(pthread_rwlock_t) && sizeof(Semaphore) <= sizeof(sem_t));
static_assert(sizeof(Barrier) <= sizeof(pthread_barrier_t) && sizeof(SpinLock) <= sizeof(pthread_spinlock_t));
static_assert(sizeof(Once) <= sizeof(pthread_once_t));

template <typename T>
T& object_at(void* object) {
  return *static_cast<T*>(object);
}

// Whether the object was made with the attribute process-shared.
inline bool is_process_shared(Operation operation, const void* object) {
  if (object == nullptr) return false;
  switch (operation) {
  case Operation::mutex_lock:
  case Operation::mutex_trylock:
  case Operation::mutex_timedlock:
  case Operation::mutex_unlock:
  case Operation::cond_reacquire:
    return static_cast<const Mutex*>(object)->process_shared();
  case Operation::cond_wait:
  case Operation::cond_signal:
  case Operation::cond_broadcast:
    return static_cast<const Condition*>(object)->process_shared;
  case Operation::rwlock_read:
  case Operation::rwlock_write:
  case Operation::rwlock_tryread:
  case Operation::rwlock_trywrite:
  case Operation::rwlock_unlock:
    return static_cast<const ReadWriteLock*>(object)->process_shared;
  case Operation::semaphore_wait:
  case Operation::semaphore_trywait:
  case Operation::semaphore_post:
  case Operation::semaphore_value:
    return static_cast<const Semaphore*>(object)->process_shared;
  case Operation::barrier_arrive:
  case Operation::barrier_leave:
  case Operation::barrier_destroy:
    return static_cast<const Barrier*>(object)->process_shared;
  default:
    return false;
  }
}

// Whether the operation uses an object that was destroyed. A thread may still wake up from a condition
// variable then, which does not touch it. Who leaves a barrier does, but destroying one waits for that.
inline bool uses_destroyed(Operation operation, const void* object) {
  if (object == nullptr) return false;
  switch (operation) {
  case Operation::mutex_lock:
  case Operation::mutex_trylock:
  case Operation::mutex_timedlock:
  case Operation::mutex_unlock:
  case Operation::cond_reacquire:
    return static_cast<const Mutex*>(object)->life == k_destroyed;
  case Operation::cond_wait:
  case Operation::cond_signal:
  case Operation::cond_broadcast:
    return static_cast<const Condition*>(object)->life == k_destroyed;
  case Operation::rwlock_read:
  case Operation::rwlock_write:
  case Operation::rwlock_tryread:
  case Operation::rwlock_trywrite:
  case Operation::rwlock_unlock:
    return static_cast<const ReadWriteLock*>(object)->life == k_destroyed;
  case Operation::semaphore_wait:
  case Operation::semaphore_trywait:
  case Operation::semaphore_post:
  case Operation::semaphore_value:
    return static_cast<const Semaphore*>(object)->life == k_destroyed;
  case Operation::barrier_arrive:
    return static_cast<const Barrier*>(object)->life == k_destroyed;
  case Operation::spin_lock:
  case Operation::spin_trylock:
  case Operation::spin_unlock:
    return static_cast<std::uint32_t>(static_cast<const SpinLock*>(object)->owner) == k_destroyed;
  default:
    return false;
  }
}

} // namespace reex
