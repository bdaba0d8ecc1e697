// Reader-writer locks, semaphores and barriers.
#include <cerrno>
#include <climits>
#include <cstring>

#include "reex/runtime/core/objects.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/environment/clock.h"
#include "reex/runtime/order/buffers.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/runtime/order/happens_before.h"
#include "reex/runtime/order/lifetime.h"

using namespace reex;

// Reader-writer locks. By default, readers are admitted whenever no writer holds the lock. With
// PTHREAD_RWLOCK_PREFER_WRITER_NP, as in glibc, a writer hands the lock over to a writer that waits; with
// PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP, readers also wait as soon as a writer waits. To wait there, a
// writer first comes to the lock, which is a point of its own.

namespace {

// Null: no deadline.
std::uint64_t deadline_by(clockid_t clock, const timespec* time) {
  return time == nullptr ? k_never : deadline_of(clock, time);
}

bool is_no_time(clockid_t clock, const timespec* time) {
  return time != nullptr && (!is_valid(*time) || !can_wait_by(clock));
}

// As in fingerprint_gate.
int gate_of(const ReadWriteLock& lock) {
  constexpr int k_read = -1;
  return lock.writer != 0 ? lock.writer : lock.readers != 0 ? k_read : 0;
}

template <typename Change>
void change(ReadWriteLock& lock, Change make) {
  const std::uint64_t before = lock.content();
  const int gate = gate_of(lock);
  make();
  fingerprint_gate(&lock, gate, gate_of(lock));
  note_change(&lock, before, lock.content());
}

// The lock is free for this.
void add_reader(ReadWriteLock& lock) {
  change(lock, [&] { ++lock.readers; });
}

void set_writer(ReadWriteLock& lock) {
  change(lock, [&] { lock.writer = owner_mark(*g.current, lock.process_shared); });
}

int read_lock(pthread_rwlock_t* object, clockid_t clock, const timespec* time, void* pc, void* frame) {
  const SharedUse use;
  if (is_no_time(clock, time)) return EINVAL;
  visible_pending(Operation::rwlock_read, object, pc, frame, deadline_by(clock, time), 0);
  auto& lock = object_at<ReadWriteLock>(object);
  if (lock.held_for_writing_by(*g.current)) return EDEADLK;
  if (!lock.admits_reader()) {
    note_read(object, lock.content());
    return ETIMEDOUT;
  }
  add_reader(lock);
  return 0;
}

void wait_for_writing(ReadWriteLock& lock, std::uint64_t deadline) {
  ++lock.waiting_writers;
  note_write(&lock);
  g.current->pending.value = 0;
  wait_until(Operation::rwlock_write, &lock, deadline);
  if (--lock.waiting_writers == 0) lock.handed_over = 0;
}

int write_lock(pthread_rwlock_t* object, clockid_t clock, const timespec* time, void* pc, void* frame) {
  const SharedUse use;
  if (is_no_time(clock, time)) return EINVAL;
  auto& lock = object_at<ReadWriteLock>(object);
  const bool arrives = !lock.prefers_readers();
  const std::uint64_t deadline = deadline_by(clock, time);
  visible_pending(Operation::rwlock_write, object, pc, frame, deadline, arrives ? k_arriving : 0);
  if (lock.held_for_writing_by(*g.current)) return EDEADLK;
  if (!lock.admits_writer() && arrives) wait_for_writing(lock, deadline);
  if (!lock.admits_writer()) {
    note_read(object, lock.content());
    return ETIMEDOUT;
  }
  lock.handed_over = 0;
  set_writer(lock);
  return 0;
}

} // namespace

REEX_EXPORT int pthread_rwlock_init(pthread_rwlock_t* object,
                                    const pthread_rwlockattr_t* attributes) noexcept {
  begin_life(object, REEX_CALLER);
  memset(object, 0, sizeof *object);
  int kind = PTHREAD_RWLOCK_PREFER_READER_NP;
  int sharing = PTHREAD_PROCESS_PRIVATE;
  if (attributes != nullptr) {
    pthread_rwlockattr_getkind_np(attributes, &kind);
    pthread_rwlockattr_getpshared(attributes, &sharing);
  }
  auto& lock = object_at<ReadWriteLock>(object);
  lock.kind = kind;
  lock.process_shared = sharing == PTHREAD_PROCESS_SHARED;
  return 0;
}

REEX_EXPORT int pthread_rwlock_destroy(pthread_rwlock_t* object) noexcept {
  auto& lock = object_at<ReadWriteLock>(object);
  end_life(object, lock.life, "rwlock", REEX_CALLER);
  lock.life = k_destroyed;
  return 0;
}

REEX_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t* object) noexcept {
  return read_lock(object, CLOCK_REALTIME, nullptr, REEX_READ_CALLER);
}

REEX_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t* object) noexcept {
  return write_lock(object, CLOCK_REALTIME, nullptr, REEX_READ_CALLER);
}

REEX_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t* object, const timespec* time) noexcept {
  return read_lock(object, CLOCK_REALTIME, time, REEX_READ_CALLER);
}

REEX_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t* object, const timespec* time) noexcept {
  return write_lock(object, CLOCK_REALTIME, time, REEX_READ_CALLER);
}

REEX_EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t* object, clockid_t clock,
                                           const timespec* time) noexcept {
  return read_lock(object, clock, time, REEX_READ_CALLER);
}

REEX_EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t* object, clockid_t clock,
                                           const timespec* time) noexcept {
  return write_lock(object, clock, time, REEX_READ_CALLER);
}

REEX_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t* object) noexcept {
  const SharedUse use;
  REEX_READ_POINT(Operation::rwlock_tryread, object);
  auto& lock = object_at<ReadWriteLock>(object);
  if (!lock.admits_reader()) {
    note_read(object, lock.content());
    return EBUSY;
  }
  acquire_from(object);
  add_reader(lock);
  return 0;
}

REEX_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t* object) noexcept {
  const SharedUse use;
  REEX_READ_POINT(Operation::rwlock_trywrite, object);
  auto& lock = object_at<ReadWriteLock>(object);
  if (!lock.admits_writer() || lock.handed_over != 0) {
    note_read(object, lock.content());
    return EBUSY;
  }
  order_operation(Operation::rwlock_write, object);
  set_writer(lock);
  return 0;
}

REEX_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t* object) noexcept {
  const SharedUse use;
  REEX_READ_POINT(Operation::rwlock_unlock, object);
  auto& lock = object_at<ReadWriteLock>(object);
  if (lock.content() == 0) return EPERM;
  change(lock, [&] {
    if (lock.writer != 0) {
      lock.writer = 0;
      lock.handed_over = lock.waiting_writers != 0 ? 1 : 0;
    } else {
      --lock.readers;
    }
  });
  return 0;
}

// Semaphores

namespace {

// Takes or posts.
void change(Semaphore& semaphore, std::uint32_t value) {
  const std::uint64_t before = semaphore.content();
  const int gate = semaphore.gate();
  semaphore.value = value;
  fingerprint_gate(&semaphore, gate, semaphore.gate());
  note_change(&semaphore, before, semaphore.content());
}

int semaphore_wait(sem_t* object, clockid_t clock, const timespec* time, void* pc, void* frame) {
  if (is_no_time(clock, time)) {
    errno = EINVAL;
    return -1;
  }
  const SharedUse use;
  visible_pending(Operation::semaphore_wait, object, pc, frame, deadline_by(clock, time), 0);
  testcancel();
  auto& semaphore = object_at<Semaphore>(object);
  if (semaphore.value == 0) {
    if (g.current->pending.interrupted) {
      errno = EINTR;
      return -1;
    }
    note_read(object, semaphore.content());
    errno = ETIMEDOUT;
    return -1;
  }
  change(semaphore, semaphore.value - 1);
  return 0;
}

} // namespace

REEX_EXPORT int sem_init(sem_t* object, int sharing, unsigned value) noexcept {
  if (value > SEM_VALUE_MAX) {
    errno = EINVAL;
    return -1;
  }
  begin_life(object, REEX_CALLER);
  memset(object, 0, sizeof *object);
  auto& semaphore = object_at<Semaphore>(object);
  semaphore.value = value;
  semaphore.process_shared = sharing != 0;
  fingerprint_new_gate(object, semaphore.gate());
  return 0;
}

REEX_EXPORT int sem_destroy(sem_t* object) noexcept {
  auto& semaphore = object_at<Semaphore>(object);
  end_life(object, semaphore.life, "semaphore", REEX_CALLER);
  semaphore.life = k_destroyed;
  fingerprint_new_gate(object, 0);
  return 0;
}

REEX_EXPORT int sem_wait(sem_t* object) {
  return semaphore_wait(object, CLOCK_REALTIME, nullptr, REEX_READ_CALLER);
}

REEX_EXPORT int sem_timedwait(sem_t* object, const timespec* time) {
  return semaphore_wait(object, CLOCK_REALTIME, time, REEX_READ_CALLER);
}

REEX_EXPORT int sem_clockwait(sem_t* object, clockid_t clock, const timespec* time) {
  return semaphore_wait(object, clock, time, REEX_READ_CALLER);
}

REEX_EXPORT int sem_trywait(sem_t* object) noexcept {
  const SharedUse use;
  REEX_READ_POINT(Operation::semaphore_trywait, object);
  auto& semaphore = object_at<Semaphore>(object);
  if (semaphore.value == 0) {
    note_read(object, semaphore.content());
    errno = EAGAIN;
    return -1;
  }
  acquire_from(object);
  change(semaphore, semaphore.value - 1);
  return 0;
}

REEX_EXPORT int sem_post(sem_t* object) noexcept {
  const SharedUse use;
  REEX_READ_POINT(Operation::semaphore_post, object);
  auto& semaphore = object_at<Semaphore>(object);
  if (semaphore.value == SEM_VALUE_MAX) {
    errno = EOVERFLOW;
    return -1;
  }
  change(semaphore, semaphore.value + 1);
  return 0;
}

REEX_EXPORT int sem_getvalue(sem_t* object, int* value) noexcept {
  const SharedUse use;
  will_write_buffer(value, REEX_CALLER);
  REEX_READ_POINT(Operation::semaphore_value, object);
  *value = static_cast<int>(object_at<Semaphore>(object).value);
  note_read(object, static_cast<std::uint64_t>(*value));
  writes_object(value, REEX_CALLER);
  return 0;
}

// Barriers

REEX_EXPORT int pthread_barrier_init(pthread_barrier_t* object, const pthread_barrierattr_t* attributes,
                                     unsigned count) noexcept {
  if (count == 0 || count > UINT_MAX / 2) return EINVAL;
  begin_life(object, REEX_CALLER);
  memset(object, 0, sizeof *object);
  int sharing = PTHREAD_PROCESS_PRIVATE;
  if (attributes != nullptr) pthread_barrierattr_getpshared(attributes, &sharing);
  object_at<Barrier>(object).threshold = count;
  object_at<Barrier>(object).process_shared = sharing == PTHREAD_PROCESS_SHARED;
  return 0;
}

// The thread that the last barrier_wait has marked may destroy the barrier before the others have returned.
REEX_EXPORT int pthread_barrier_destroy(pthread_barrier_t* object) noexcept {
  const SharedUse use;
  auto& barrier = object_at<Barrier>(object);
  if (barrier.leaving != 0) {
    REEX_POINT(Operation::barrier_destroy, object);
    acquire_from(object);
  }
  end_life(object, barrier.life, "barrier", REEX_CALLER);
  barrier.life = k_destroyed;
  return 0;
}

REEX_EXPORT int pthread_barrier_wait(pthread_barrier_t* object) noexcept {
  const SharedUse use;
  auto& barrier = object_at<Barrier>(object);
  REEX_POINT(Operation::barrier_arrive, object);
  if (++barrier.arrived == barrier.threshold) {
    barrier.leaving += barrier.arrived - 1;
    barrier.arrived = 0;
    ++barrier.generation;
    acquire_from(object);
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  g.current->pending.value = barrier.generation;
  wait_until(Operation::barrier_leave, object, k_never);
  release_to(object);
  --barrier.leaving;
  return 0;
}
