// How the runtime lays out the objects of POSIX threads. Each fits into the type it stands for, its static
// initializers give the initial state, and all of it lies in the test's own memory, so a restore brings it
// back for nothing.
#pragma once

#include <cstdint>
#include <pthread.h>
#include <semaphore.h>

#include "reex/runtime/core/fiber.h"

namespace reex {

struct Mutex { // the first fields of glibc's, for debuggers
  std::int32_t locked;
  std::uint32_t depth;
  std::int32_t owner;     // fiber id + 1, 0: none
  std::uint32_t recovery; // Recovery, of a robust mutex
  std::int32_t kind;      // PTHREAD_MUTEX_*_NP in the low two bits, k_robust, k_protect
  std::int32_t ceiling;   // kept for who asks; nobody has a priority
  void* locked_at;        // return address of the call that the owner locked it by

  enum Recovery : std::uint32_t { k_consistent, k_owner_died, k_not_recoverable };
  static constexpr std::int32_t k_robust = 16;
  static constexpr std::int32_t k_protect = 64;

  int type() const { return kind & 3; }
  bool held_by(const Fiber& fiber) const { return owner == fiber.id + 1; }
  // A robust mutex whose thread ended without unlocking it: the next may have it, to make things consistent.
  bool abandoned() const {
    return (kind & k_robust) != 0 && owner != 0 && g_fibers[owner - 1].state == FiberState::finished;
  }
};

struct Condition {
  std::int32_t clock; // CLOCK_REALTIME by default
};

struct ReadWriteLock {
  std::int32_t readers;
  std::int32_t writer; // fiber id + 1

  bool held_for_writing_by(const Fiber& fiber) const { return writer == fiber.id + 1; }
};

struct Semaphore {
  std::uint32_t value;
};

struct Barrier {
  std::uint32_t threshold;
  std::uint32_t arrived;
  std::uint32_t generation;
};

struct SpinLock {
  std::int32_t owner; // fiber id + 1
};

struct Once {
  std::int32_t state; // k_done, or 0 or the fiber id + 1 that is at it

  static constexpr std::int32_t k_done = -1;
  bool under_way() const { return state > 0; }
};

static_assert(sizeof(Mutex) <= sizeof(pthread_mutex_t) && sizeof(Condition) <= sizeof(pthread_cond_t));
static_assert(sizeof(ReadWriteLock) <= sizeof(pthread_rwlock_t) && sizeof(Semaphore) <= sizeof(sem_t));
static_assert(sizeof(Barrier) <= sizeof(pthread_barrier_t) && sizeof(SpinLock) <= sizeof(pthread_spinlock_t));
static_assert(sizeof(Once) <= sizeof(pthread_once_t));

template <typename T>
T& object_at(void* object) {
  return *static_cast<T*>(object);
}

} // namespace reex
