// What the kernel does for a futex with priority inheritance (futex(2); kernel/futex/pi.c and requeue.c):
// 1. A word without an owner is taken: the caller's thread id is written to it.
// 2. Otherwise the caller sets FUTEX_WAITERS, so that the owner comes to the kernel to unlock, and waits.
// 3. Who unlocks a word for which others wait hands it to one of those with the highest rank. The word is
//    never free in between.
// 4. A thread that ends does the same, and FUTEX_OWNER_DIED tells the next owner.
// 5. A wait that would close a circle of such waits fails.
// 6. Who waits to be moved (FUTEX_WAIT_REQUEUE_PI) gets the other word, or waits for it as in 2.
//
// All state lies in the test's words and in the pending operations of the threads.
#include "reex/runtime/primitives/owned_futex.h"

#include <cerrno>
#include <csignal>
#include <linux/futex.h>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/shared_ranges.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/environment/clock.h"
#include "reex/runtime/environment/process_id.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/runtime/order/happens_before.h"
#include "reex/runtime/record/trace.h"
#include "reex/runtime/threads/scheduling.h"

namespace reex {
namespace {

using Word = std::uint32_t;

long fails(int error) {
  errno = error;
  return -1;
}

Word read(const Word* word) { return __atomic_load_n(word, __ATOMIC_SEQ_CST); }
void write(Word* word, Word value) { __atomic_store_n(word, value, __ATOMIC_SEQ_CST); }

constexpr Word owner_in(Word value) { return value & FUTEX_TID_MASK; }
Word id_of(const Fiber& fiber) { return static_cast<Word>(thread_id(fiber)); }

bool is_waiting(const Pending& pending, Operation operation, const Word* word) {
  return pending.operation == operation && !pending.notified && !pending.timed_out &&
         is_same_memory(pending.object, word);
}

// The thread's wait; null if there is none. A thread in a handler counts, because natively its wait could
// have ended before the handler.
Pending* wait_of(Fiber& fiber, Operation operation, const Word* word) {
  if (fiber.state != FiberState::live) return nullptr;
  if (is_waiting(fiber.pending, operation, word)) return &fiber.pending;
  for (InterruptedWait* wait = fiber.interrupted; wait != nullptr; wait = wait->outer)
    if (is_waiting(wait->pending, operation, word)) return &wait->pending;
  return nullptr;
}

bool is_outranked(const Fiber& fiber, const std::uint16_t* ids, unsigned count) {
  if (!has_rank(fiber.own.scheduling)) return false;
  for (unsigned i = 0; i < count; ++i) {
    const Scheduling& other = live_thread(ids[i])->own.scheduling;
    if (has_rank(other) && outranks(other, fiber.own.scheduling)) return true;
  }
  return false;
}

// One of those that wait and have the highest rank; null: nobody waits.
Fiber* choose_next(Operation operation, const Word* word) {
  static std::uint16_t waiting[k_max_threads]; // too large for the stack of a coroutine
  static std::uint16_t first[k_max_threads];
  unsigned count = 0;
  unsigned count_first = 0;
  for (Fiber* fiber : alive())
    if (wait_of(*fiber, operation, word) != nullptr) waiting[count++] = fiber->id;
  for (unsigned i = 0; i < count; ++i)
    if (!is_outranked(*live_thread(waiting[i]), waiting, count)) first[count_first++] = waiting[i];
  if (count_first < 2) return count_first == 0 ? nullptr : live_thread(first[0]);
  return &choose_waiter(first, count_first);
}

bool is_awaited(const Word* word) {
  for (Fiber* fiber : alive())
    if (wait_of(*fiber, Operation::futex_own, word) != nullptr) return true;
  return false;
}

// The wait of the thread, which owns what another one waits for, so far as it cannot go on.
const Pending* blocked_in(const Fiber* owner) {
  if (owner == nullptr) return nullptr;
  const Pending& pending = owner->pending;
  return is_waiting(pending, Operation::futex_own, static_cast<Word*>(pending.object)) ? &pending : nullptr;
}

Fiber* owner_of(const Word* word) {
  const int number = thread_with_id(static_cast<pid_t>(owner_in(read(word))));
  return number < 0 ? nullptr : live_thread(static_cast<unsigned>(number));
}

// 5: what others wait for decides, and they do so at other words.
bool closes_circle(const Word* word) {
  const Fiber* owner = owner_of(word);
  unsigned steps = 0;
  for (const Pending* wait = blocked_in(owner); wait != nullptr; wait = blocked_in(owner)) {
    if (steps == 0) fingerprint_fence();
    owner = owner_of(static_cast<const Word*>(wait->object));
    if (owner == g.current || ++steps > g.live) return true;
  }
  return false;
}

// No thread has this id. What another process holds, nobody here can wait for.
bool is_owner_gone(const Word* word) {
  if (owner_of(word) != nullptr) return false;
  fingerprint_fence();
  const auto id = static_cast<pid_t>(owner_in(read(word)));
  if (thread_with_id(id) < 0 && raw_syscall(SYS_kill, id, 0) != -ESRCH && g.controlled)
    refuse("a futex with priority inheritance that another process holds");
  return true;
}

void take_for(Fiber& fiber, Word* word) { write(word, (read(word) & FUTEX_OWNER_DIED) | id_of(fiber)); }

void set_waiters(Word* word) {
  const Word before = read(word);
  if ((before & FUTEX_WAITERS) != 0) return;
  write(word, before | FUTEX_WAITERS);
  note_write(word);
}

// The wait ends with the word in the thread's hands.
void hand_over(Fiber& next, Pending& wait, Word* word, Word mark) {
  write(word, id_of(next) | FUTEX_WAITERS | mark);
  if (wait.object != word) fingerprint_fence(); // the memory is mapped twice
  wait.object = word;
  wait.notified = true;
  fingerprint_touch(next);
  note_write(word);
}

// 0, or an error number. EAGAIN: the caller may wait now.
int try_to_own(Word* word) {
  const Word before = read(word);
  if (owner_in(before) == id_of(*g.current)) {
    note_read(word, before);
    return EDEADLK;
  }
  if (owner_in(before) == 0) {
    if (is_awaited(word)) return EINVAL; // somebody has freed it without the kernel
    take_for(*g.current, word);
    acquire_from(word);
    note_change(word, 0, owner_in(read(word)));
    return 0;
  }
  fingerprint_dark(
      false); // whether the owner has ended, or waits for this thread, is no operation on the word
  set_waiters(word);
  if (is_owner_gone(word)) return ESRCH;
  note_read(word, read(word));
  return EAGAIN;
}

long end_of_wait() {
  const Pending& pending = g.current->pending;
  if (!pending.notified) return fails(ETIMEDOUT);
  acquire_from(pending.object);
  g.current->past_deadlines = 0;
  return 0;
}

long lock(Word* word, std::uint64_t deadline, void* pc, void* frame) {
  visible(Operation::futex_lock, word, pc, frame);
  if (const int error = try_to_own(word); error != EAGAIN) return error == 0 ? 0 : fails(error);
  if (closes_circle(word)) return fails(EDEADLK);
  wait_until(Operation::futex_own, word, deadline);
  return end_of_wait();
}

long try_lock(Word* word, void* pc, void* frame) {
  visible(Operation::futex_trylock, word, pc, frame);
  const int error = try_to_own(word);
  return error == 0 ? 0 : fails(error);
}

long unlock(Word* word, void* pc, void* frame) {
  visible(Operation::futex_unlock, word, pc, frame);
  const Word before = read(word);
  if (owner_in(before) != id_of(*g.current)) {
    note_read(word, before);
    return fails(EPERM);
  }
  release_to(word);
  Fiber* const next = choose_next(Operation::futex_own, word);
  if (next != nullptr) {
    hand_over(*next, *wait_of(*next, Operation::futex_own, word), word, 0);
  } else {
    write(word, 0);
    note_change(word, owner_in(before), 0);
  }
  record_woken(next != nullptr ? 1 : 0);
  return 0;
}

long wait_to_be_moved(Word* word, Word expected, Word* other, std::uint64_t deadline, void* pc, void* frame) {
  if (word == other) return fails(EINVAL);
  visible(Operation::futex_wait, word, pc, frame);
  if (const Word seen = read(word); seen != expected) {
    note_read(word, seen);
    return fails(EAGAIN);
  }
  g.current->pending.value = reinterpret_cast<std::uint64_t>(other);
  wait_until(Operation::futex_move, word, deadline);
  if (g.current->pending.notified) acquire_from(word);
  return end_of_wait();
}

// It acts on both words, so it is ordered with everything.
long move_waiters(Word* word, int wake, int most, Word* other, Word expected, void* pc, void* frame) {
  if (wake != 1 || most < 0 || word == other) return fails(EINVAL);
  visible(Operation::futex_wake, word, pc, frame);
  fingerprint_fence();
  if (const Word seen = read(word); seen != expected) {
    note_read(word, seen);
    return fails(EAGAIN);
  }
  int moved = 0;
  for (Fiber* next = nullptr; moved <= most && (next = choose_next(Operation::futex_move, word)) != nullptr;
       ++moved) {
    Pending& wait = *wait_of(*next, Operation::futex_move, word);
    if (!is_same_memory(reinterpret_cast<const void*>(wait.value), other)) return fails(EINVAL);
    const bool is_free = owner_in(read(other)) == 0;
    if (is_free) {
      take_for(*next, other);
      wait.notified = true;
    } else {
      set_waiters(other);
      if (is_owner_gone(other)) return fails(ESRCH);
    }
    wait.operation = Operation::futex_own;
    wait.object = other;
    fingerprint_touch(*next);
    note_write(other);
  }
  record_woken(static_cast<unsigned>(moved));
  return moved;
}

// An absolute time: of the system's clock, unless the call or its flag says another one.
std::uint64_t deadline_in(const long* a) {
  const auto* time = reinterpret_cast<const timespec*>(a[3]);
  if (time == nullptr) return k_never;
  const bool is_real = (a[1] & FUTEX_CMD_MASK) == FUTEX_LOCK_PI || (a[1] & FUTEX_CLOCK_REALTIME) != 0;
  return deadline_of_wait(deadline_of(is_real ? CLOCK_REALTIME : CLOCK_MONOTONIC, time));
}

bool has_invalid_time(const long* a) {
  const auto* time = reinterpret_cast<const timespec*>(a[3]);
  return time != nullptr && (!is_valid(*time) || time->tv_sec < 0);
}

} // namespace

bool owned_futex_call(const long* a, void* pc, void* frame, long& result) {
  if (g.forked_off) return false; // the kernel knows the only thread
  auto* const word = reinterpret_cast<Word*>(a[0]);
  auto* const other = reinterpret_cast<Word*>(a[4]);
  const auto third = static_cast<Word>(a[5]);
  const int operation = static_cast<int>(a[1]) & FUTEX_CMD_MASK;
  switch (operation) {
  case FUTEX_LOCK_PI:
  case FUTEX_LOCK_PI2:
    result = has_invalid_time(a) ? fails(EINVAL) : lock(word, deadline_in(a), pc, frame);
    return true;
  case FUTEX_TRYLOCK_PI:
    result = try_lock(word, pc, frame);
    return true;
  case FUTEX_UNLOCK_PI:
    result = unlock(word, pc, frame);
    return true;
  case FUTEX_WAIT_REQUEUE_PI:
    result = has_invalid_time(a)
                 ? fails(EINVAL)
                 : wait_to_be_moved(word, static_cast<Word>(a[2]), other, deadline_in(a), pc, frame);
    return true;
  case FUTEX_CMP_REQUEUE_PI:
    result = move_waiters(word, static_cast<int>(a[2]), static_cast<int>(a[3]), other, third, pc, frame);
    return true;
  default:
    return false;
  }
}

// 4. The end itself is no operation. The script never comes here: it knows of nobody who waits (try_to_own).
void hand_over_at_end(Fiber& self) {
  if (!g.controlled) return;
  for (Fiber* fiber : alive()) {
    auto* const word = static_cast<Word*>(fiber->pending.object);
    if (fiber == &self || blocked_in(fiber) == nullptr || owner_in(read(word)) != id_of(self)) continue;
    stop_noting();
    fingerprint_words(Operation::futex_unlock, word, sizeof *word);
    release_to(word);
    Fiber& next = *choose_next(Operation::futex_own, word);
    hand_over(next, *wait_of(next, Operation::futex_own, word), word, FUTEX_OWNER_DIED);
  }
}

} // namespace reex
