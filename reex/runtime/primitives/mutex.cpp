// Mutexes, spin locks and pthread_once.
#include <cerrno>
#include <cstring>
#include <sched.h>

#include "reex/runtime/core/objects.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/environment/clock.h"
#include "reex/runtime/order/finding.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/runtime/order/happens_before.h"
#include "reex/runtime/order/lifetime.h"
#include "reex/runtime/primitives/once.h"
#include "reex/runtime/primitives/primitives.h"

using namespace reex;

namespace {

int kind_of(const pthread_mutexattr_t* attributes) {
  if (attributes == nullptr) return PTHREAD_MUTEX_DEFAULT;
  int type = PTHREAD_MUTEX_DEFAULT;
  int robust = PTHREAD_MUTEX_STALLED;
  pthread_mutexattr_gettype(attributes, &type);
  pthread_mutexattr_getrobust(attributes, &robust);
  int sharing = PTHREAD_PROCESS_PRIVATE;
  pthread_mutexattr_getpshared(attributes, &sharing);
  int protocol = PTHREAD_PRIO_NONE;
  pthread_mutexattr_getprotocol(attributes, &protocol);
  return type | (robust == PTHREAD_MUTEX_ROBUST ? Mutex::k_robust : 0) |
         (protocol == PTHREAD_PRIO_INHERIT ? Mutex::k_inherit : 0) |
         (protocol == PTHREAD_PRIO_PROTECT ? Mutex::k_protect : 0) |
         (sharing == PTHREAD_PROCESS_SHARED ? Mutex::k_process_shared : 0);
}

void acquire(Mutex& mutex) {
  const std::int32_t mark = owner_mark(*g.current, mutex.process_shared());
  mutex.locked = 1;
  fingerprint_gate(&mutex, mutex.owner, mark);
  mutex.owner = mark;
  if (mutex.depth++ == 0) {
    mutex.locked_at = g.current->pending.pc;
    witness_locked(mutex);
    if (mutex.is_robust()) ++g.current->own.robust;
  }
  acquire_from(&mutex);
}

int take(Mutex& mutex) {
  if (mutex.recovery == Mutex::k_not_recoverable) return ENOTRECOVERABLE;
  if (mutex.abandoned()) {
    if (mutex.owner > 0) order_after_end(static_cast<unsigned>(mutex.owner) - 1);
    mutex.depth = 0;
    mutex.recovery = Mutex::k_owner_died;
    acquire(mutex);
    return EOWNERDEAD;
  }
  if (mutex.owner == 0 || mutex.type() == PTHREAD_MUTEX_RECURSIVE) {
    if (mutex.depth == ~std::uint32_t{0}) return EAGAIN;
    acquire(mutex);
    return 0;
  }
  return EDEADLK; // an error-checking mutex that the caller holds
}

// The part that all forms of locking share, when the fiber may lock.
int lock_now(Mutex& mutex) {
  const std::uint64_t before = mutex.content();
  const int error = take(mutex);
  note_change(&mutex, before, mutex.content());
  return error;
}

bool checks_owner(const Mutex& mutex) {
  return mutex.type() == PTHREAD_MUTEX_RECURSIVE || mutex.type() == PTHREAD_MUTEX_ERRORCHECK ||
         mutex.is_robust();
}

void release(Mutex& mutex) {
  if (mutex.recovery == Mutex::k_owner_died) mutex.recovery = Mutex::k_not_recoverable;
  if (mutex.is_robust()) --g.current->own.robust;
  mutex.locked = 0;
  fingerprint_gate(&mutex, mutex.owner, 0);
  mutex.owner = 0;
  mutex.depth = 0;
}

int unlock_now(Mutex& mutex, void* pc) {
  if (!mutex.held_by(*g.current)) {
    if (checks_owner(mutex)) return EPERM;
    // A default mutex: undefined behaviour. The mutex is unlocked afterwards, as with glibc.
    if (mutex.owner != 0) report_stranger(mutex, pc);
  }
  if (mutex.depth > 1 && mutex.type() == PTHREAD_MUTEX_RECURSIVE) {
    --mutex.depth;
    return 0;
  }
  release(mutex);
  return 0;
}

} // namespace

// As in glibc, a recursive mutex that is held more than once stays locked during the wait.
int reex::unlock_for_wait(Mutex& mutex) {
  if (!mutex.held_by(*g.current) && checks_owner(mutex)) return EPERM;
  if (mutex.depth > 1 && mutex.type() == PTHREAD_MUTEX_RECURSIVE)
    --mutex.depth;
  else
    release(mutex);
  return 0;
}

int reex::lock_after_wait(Mutex& mutex) { return take(mutex); }

int reex::lock_mutex(pthread_mutex_t* object, void* pc, void* frame) {
  const SharedUse use;
  visible(Operation::mutex_lock, object, pc, frame);
  return lock_now(object_at<Mutex>(object));
}

int reex::unlock_mutex(pthread_mutex_t* object, void* pc, void* frame) {
  const SharedUse use;
  visible(Operation::mutex_unlock, object, pc, frame);
  auto& mutex = object_at<Mutex>(object);
  const std::uint64_t before = mutex.content();
  const int error = unlock_now(mutex, pc);
  note_change(object, before, mutex.content());
  return error;
}

int reex::lock_mutex_until(pthread_mutex_t* object, clockid_t clock, const timespec* time, void* pc,
                           void* frame) {
  if (!can_wait_by(clock)) return EINVAL;
  const SharedUse use;
  auto& mutex = object_at<Mutex>(object);
  const bool valid = is_valid(*time);
  visible_pending(Operation::mutex_timedlock, object, pc, frame, valid ? deadline_of(clock, time) : 0, 0);
  const bool mine = mutex.held_by(*g.current);
  if (mutex.owner != 0 && !mutex.abandoned() &&
      !(mine && (mutex.type() == PTHREAD_MUTEX_RECURSIVE || mutex.type() == PTHREAD_MUTEX_ERRORCHECK))) {
    note_read(object, static_cast<std::uint64_t>(mutex.owner));
    return valid ? ETIMEDOUT : EINVAL;
  }
  return lock_now(mutex);
}

int reex::try_lock_mutex(pthread_mutex_t* object, void* pc, void* frame) {
  const SharedUse use;
  visible(Operation::mutex_trylock, object, pc, frame);
  auto& mutex = object_at<Mutex>(object);
  if (mutex.owner != 0 && !mutex.abandoned() &&
      !(mutex.held_by(*g.current) && mutex.type() == PTHREAD_MUTEX_RECURSIVE)) {
    note_read(object, static_cast<std::uint64_t>(mutex.owner));
    constexpr std::int32_t k_told = Mutex::k_robust | Mutex::k_inherit | Mutex::k_protect;
    const bool own = mutex.held_by(*g.current) && mutex.type() == PTHREAD_MUTEX_ERRORCHECK;
    return own && (mutex.kind & k_told) != 0 ? EDEADLK : EBUSY;
  }
  return lock_now(mutex);
}

REEX_EXPORT int pthread_mutex_init(pthread_mutex_t* object, const pthread_mutexattr_t* attributes) noexcept {
  const int kind = kind_of(attributes);
  if ((kind & Mutex::k_robust) != 0 && (kind & Mutex::k_protect) != 0) return ENOTSUP;
  begin_life(object, REEX_CALLER);
  memset(object, 0, sizeof *object);
  auto& mutex = object_at<Mutex>(object);
  mutex.kind = kind;
  if ((mutex.kind & Mutex::k_protect) != 0) pthread_mutexattr_getprioceiling(attributes, &mutex.ceiling);
  return 0;
}

// Somebody waits on a condition variable, and will take the mutex again. As in glibc, it counts as a user.
static bool is_used_by_waiter(const Mutex& mutex) {
  for (const Fiber* fiber : alive())
    if (fiber->pending.operation == Operation::cond_reacquire && fiber->pending.object == &mutex &&
        fiber->state == FiberState::live)
      return true;
  return false;
}

REEX_EXPORT int pthread_mutex_destroy(pthread_mutex_t* object) noexcept {
  auto& mutex = object_at<Mutex>(object);
  end_life(object, mutex.life, "mutex", REEX_CALLER);
  if (mutex.owner != 0) {
    report_destroyed(mutex, REEX_CALLER);
    if ((mutex.kind & Mutex::k_robust) == 0) return EBUSY;
  }
  if ((mutex.kind & Mutex::k_robust) == 0 && is_used_by_waiter(mutex)) return EBUSY;
  mutex.life = k_destroyed;
  return 0;
}

REEX_EXPORT int pthread_mutex_lock(pthread_mutex_t* object) noexcept {
  return lock_mutex(object, REEX_READ_CALLER);
}

REEX_EXPORT int pthread_mutex_trylock(pthread_mutex_t* object) noexcept {
  return try_lock_mutex(object, REEX_READ_CALLER);
}

REEX_EXPORT int pthread_mutex_timedlock(pthread_mutex_t* object, const timespec* time) noexcept {
  return lock_mutex_until(object, CLOCK_REALTIME, time, REEX_READ_CALLER);
}

REEX_EXPORT int pthread_mutex_clocklock(pthread_mutex_t* object, clockid_t clock,
                                        const timespec* time) noexcept {
  return lock_mutex_until(object, clock, time, REEX_READ_CALLER);
}

REEX_EXPORT int pthread_mutex_unlock(pthread_mutex_t* object) noexcept {
  return unlock_mutex(object, REEX_READ_CALLER);
}

REEX_EXPORT int pthread_mutex_consistent(pthread_mutex_t* object) noexcept {
  auto& mutex = object_at<Mutex>(object);
  if (mutex.recovery != Mutex::k_owner_died || !mutex.held_by(*g.current)) return EINVAL;
  mutex.recovery = Mutex::k_consistent;
  return 0;
}

REEX_EXPORT int pthread_mutex_getprioceiling(const pthread_mutex_t* object, int* ceiling) noexcept {
  const auto& mutex = *reinterpret_cast<const Mutex*>(object);
  if ((mutex.kind & Mutex::k_protect) == 0) return EINVAL;
  *ceiling = mutex.ceiling;
  return 0;
}

REEX_EXPORT int pthread_mutex_setprioceiling(pthread_mutex_t* object, int ceiling, int* before) noexcept {
  auto& mutex = object_at<Mutex>(object);
  if ((mutex.kind & Mutex::k_protect) == 0) return EINVAL;
  if (ceiling < sched_get_priority_min(SCHED_FIFO) || ceiling > sched_get_priority_max(SCHED_FIFO))
    return EINVAL;
  const SharedUse use;
  REEX_READ_POINT(Operation::mutex_lock, object); // it locks the mutex for the change
  const bool held = mutex.held_by(*g.current);
  if (held && mutex.type() == PTHREAD_MUTEX_ERRORCHECK) return EDEADLK;
  asm("" : "+r"(before)); // glibc accepts null, although its header does not
  if (before != nullptr) *before = mutex.ceiling;
  mutex.ceiling = ceiling;
  return 0;
}

REEX_EXPORT int pthread_spin_init(pthread_spinlock_t* object, int) noexcept {
  begin_life(const_cast<int*>(object), REEX_CALLER);
  *object = 0;
  return 0;
}

REEX_EXPORT int pthread_spin_destroy(pthread_spinlock_t* object) noexcept {
  auto* life = reinterpret_cast<std::uint32_t*>(const_cast<int*>(object));
  end_life(life, *life, "spinlock", REEX_CALLER);
  *life = k_destroyed;
  return 0;
}

REEX_EXPORT int pthread_spin_lock(pthread_spinlock_t* object) noexcept {
  void* lock = const_cast<int*>(object);
  REEX_READ_POINT(Operation::spin_lock, lock);
  auto& spin = object_at<SpinLock>(lock);
  fingerprint_gate(lock, 0, g.current->id + 1);
  spin.owner = g.current->id + 1;
  note_change(lock, 0, spin.content());
  return 0;
}

REEX_EXPORT int pthread_spin_trylock(pthread_spinlock_t* object) noexcept {
  void* lock = const_cast<int*>(object);
  REEX_READ_POINT(Operation::spin_trylock, lock);
  auto& spin = object_at<SpinLock>(lock);
  if (spin.owner != 0) {
    note_read(lock, spin.content());
    return EBUSY;
  }
  fingerprint_gate(lock, 0, g.current->id + 1);
  spin.owner = g.current->id + 1;
  acquire_from(lock);
  note_change(lock, 0, spin.content());
  return 0;
}

REEX_EXPORT int pthread_spin_unlock(pthread_spinlock_t* object) noexcept {
  void* lock = const_cast<int*>(object);
  REEX_READ_POINT(Operation::spin_unlock, lock);
  auto& spin = object_at<SpinLock>(lock);
  const std::uint64_t before = spin.content();
  fingerprint_gate(lock, spin.owner, 0);
  spin.owner = 0;
  note_change(lock, before, 0);
  return 0;
}

// pthread_once itself is in once.c: it must reset the object if the routine throws.
extern "C" int reex_once_begin(pthread_once_t* object, void* pc, void* frame) {
  visible(Operation::once, object, pc, frame);
  auto& once = object_at<Once>(object);
  if (once.state == Once::k_done) return 0;
  fingerprint_gate(object, 0, g.current->id + 1);
  once.state = g.current->id + 1;
  return 1;
}

extern "C" void reex_once_end(pthread_once_t* object, int done, void* pc, void* frame) {
  visible(Operation::once_done, object, pc, frame);
  fingerprint_gate(object, g.current->id + 1, 0);
  object_at<Once>(object).state = done != 0 ? Once::k_done : 0;
}
