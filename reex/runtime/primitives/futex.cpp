// Futexes, which std::atomic::wait, std::latch and similar classes use; and the guards of function-local
// statics.
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdarg>
#include <linux/futex.h>
#include <sys/random.h>
#include <unistd.h>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/objects.h"
#include "reex/runtime/core/shared_ranges.h"
#include "reex/runtime/core/virtual_time.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/environment/clock.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/runtime/order/happens_before.h"
#include "reex/runtime/primitives/futex.h"
#include "reex/runtime/primitives/owned_futex.h"
#include "reex/runtime/record/trace.h"
#include "reex/search/search.h"

namespace reex {
namespace {

constexpr std::uint32_t k_all_bits = FUTEX_BITSET_MATCH_ANY;

// A wake-up with none of the sleeper's bits is not for it. They are the value of its pending
// operation.
bool sleeps_on(const Pending& pending, const void* word, std::uint32_t bits) {
  return pending.operation == Operation::futex_sleep && !pending.notified && !pending.timed_out &&
         (pending.value & bits) != 0 && is_same_memory(pending.object, word);
}

// The thread's sleep on the word; null if there is none. A thread in a handler has left the kernel's queue;
// it counts as a sleeper, because natively the wake-up could have come before the handler.
Pending* sleep_of(Fiber& fiber, const void* word, std::uint32_t bits) {
  if (fiber.state != FiberState::live) return nullptr;
  if (sleeps_on(fiber.pending, word, bits)) return &fiber.pending;
  for (InterruptedWait* wait = fiber.interrupted; wait != nullptr; wait = wait->outer)
    if (sleeps_on(wait->pending, word, bits)) return &wait->pending;
  return nullptr;
}

long fails(int error) {
  errno = error;
  return -1;
}

long futex_wait(int* word, int expected, std::uint32_t bits, std::uint64_t deadline, void* pc, void* frame) {
  if (bits == 0) return fails(EINVAL);
  visible(Operation::futex_wait, word, pc, frame);
  const int seen = __atomic_load_n(word, __ATOMIC_SEQ_CST);
  if (seen != expected) {
    note_read(word, static_cast<std::uint64_t>(seen));
    return fails(EAGAIN);
  }
  g.current->pending.value = bits;
  g.current->pending.expected = static_cast<std::uint32_t>(expected);
  wait_until(Operation::futex_sleep, word, deadline_of_wait(deadline));
  if (g.current->pending.notified) {
    if (void* moved = g.current->pending.object; moved != word) acquire_from(moved);
    g.current->past_deadlines = 0;
    return 0;
  }
  if (g.current->pending.interrupted)
    return fails(__atomic_load_n(word, __ATOMIC_SEQ_CST) == expected ? EINTR : EAGAIN);
  return fails(ETIMEDOUT);
}

int wake_sleepers(void* word, int most, std::uint32_t bits) {
  int woken = 0;
  for (; woken < most; ++woken) {
    static std::uint16_t ids[k_max_threads]; // too large for the stack of a coroutine
    unsigned count = 0;
    for (Fiber* fiber : alive())
      if (sleep_of(*fiber, word, bits) != nullptr) ids[count++] = fiber->id;
    if (count == 0) break;
    const bool all = most - woken >= static_cast<int>(count);
    Fiber& sleeper = all ? *live_thread(ids[0]) : choose_waiter(ids, count);
    Pending& sleep = *sleep_of(sleeper, word, bits);
    if (sleep.object != word) fingerprint_fence(); // the memory is mapped twice
    sleep.object = word;
    sleep.notified = true;
    fingerprint_touch(sleeper);
  }
  return woken;
}

long futex_wake(void* word, int most, std::uint32_t bits, void* pc, void* frame) {
  if (bits == 0) return fails(EINVAL);
  visible(Operation::futex_wake, word, pc, frame);
  const int woken = wake_sleepers(word, most, bits);
  record_woken(static_cast<unsigned>(woken));
  return woken;
}

// FUTEX_REQUEUE, and with `expected` FUTEX_CMP_REQUEUE: some sleepers are woken, others sleep on another word
// from now on. It acts on both words, so it is ordered with everything.
long futex_requeue(int* word, int* other, int wake, int move, const int* expected, void* pc, void* frame) {
  if (wake < 0 || move < 0) return fails(EINVAL);
  visible(Operation::futex_wake, word, pc, frame);
  fingerprint_fence();
  if (const int seen = __atomic_load_n(word, __ATOMIC_SEQ_CST); expected != nullptr && seen != *expected) {
    note_read(word, static_cast<std::uint64_t>(seen));
    return fails(EAGAIN);
  }
  const int woken = wake_sleepers(word, wake, k_all_bits);
  int moved = 0;
  for (Fiber* fiber : alive())
    for (Pending* sleep = nullptr;
         moved < move && word != other && (sleep = sleep_of(*fiber, word, k_all_bits)) != nullptr; ++moved) {
      sleep->object = other;
      fingerprint_touch(*fiber);
    }
  record_woken(static_cast<unsigned>(woken));
  return expected != nullptr ? woken + moved : woken;
}

// FUTEX_WAKE_OP: changes the other word, wakes sleepers on the first one, and those on the other one if what
// it was compares as asked (FUTEX_OP of linux/futex.h).
int changed(int value, unsigned operation, int operand) {
  switch (operation) {
  case FUTEX_OP_SET:
    return operand;
  case FUTEX_OP_ADD:
    return static_cast<int>(static_cast<unsigned>(value) + static_cast<unsigned>(operand));
  case FUTEX_OP_OR:
    return value | operand;
  case FUTEX_OP_ANDN:
    return value & ~operand;
  default:
    return value ^ operand;
  }
}

bool compares(int value, unsigned comparison, int operand) {
  switch (comparison) {
  case FUTEX_OP_CMP_EQ:
    return value == operand;
  case FUTEX_OP_CMP_NE:
    return value != operand;
  case FUTEX_OP_CMP_LT:
    return value < operand;
  case FUTEX_OP_CMP_LE:
    return value <= operand;
  case FUTEX_OP_CMP_GT:
    return value > operand;
  default:
    return value >= operand;
  }
}

long futex_wake_op(int* word, int* other, int most, int most_other, std::uint32_t code, void* pc,
                   void* frame) {
  const unsigned operation = code >> 28 & 7;
  const unsigned comparison = code >> 24 & 15;
  if (operation > FUTEX_OP_XOR || comparison > FUTEX_OP_CMP_GE) return fails(ENOSYS);
  int operand = static_cast<int>(code << 8) >> 20; // twelve bits with a sign
  if ((code >> 28 & FUTEX_OP_OPARG_SHIFT) != 0) operand = static_cast<int>(1u << (operand & 31));
  visible(Operation::futex_wake, word, pc, frame);
  fingerprint_fence();
  int before = __atomic_load_n(other, __ATOMIC_SEQ_CST);
  while (!__atomic_compare_exchange_n(other, &before, changed(before, operation, operand), false,
                                      __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
  }
  acquire_from(other);
  release_to(other);
  note_write(other);
  int woken = wake_sleepers(word, most, k_all_bits);
  if (compares(before, comparison, static_cast<int>(code << 20) >> 20))
    woken += wake_sleepers(other, most_other, k_all_bits);
  record_woken(static_cast<unsigned>(woken));
  return woken;
}

// A relative time for FUTEX_WAIT, an absolute one for FUTEX_WAIT_BITSET.
std::uint64_t futex_deadline(int operation, const timespec* time) {
  if (time == nullptr) return k_never;
  if ((operation & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET)
    return deadline_of((operation & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC, time);
  return deadline_after(*time);
}

} // namespace

bool futex_call(const long* a, void* pc, void* frame, long& result) {
  const int operation = static_cast<int>(a[1]) & FUTEX_CMD_MASK;
  auto* const word = reinterpret_cast<int*>(a[0]);
  auto* const other = reinterpret_cast<int*>(a[4]);
  const int value = static_cast<int>(a[2]);
  const int second = static_cast<int>(a[3]); // a number in place of a time
  const int third = static_cast<int>(a[5]);
  const bool has_bits = operation == FUTEX_WAIT_BITSET || operation == FUTEX_WAKE_BITSET;
  const std::uint32_t bits = has_bits ? static_cast<std::uint32_t>(third) : k_all_bits;
  switch (operation) {
  case FUTEX_WAIT:
  case FUTEX_WAIT_BITSET:
    result = futex_wait(word, value, bits,
                        futex_deadline(static_cast<int>(a[1]), reinterpret_cast<const timespec*>(a[3])), pc,
                        frame);
    return true;
  case FUTEX_WAKE:
  case FUTEX_WAKE_BITSET:
    result = futex_wake(word, value, bits, pc, frame);
    return true;
  case FUTEX_REQUEUE:
    result = futex_requeue(word, other, value, second, nullptr, pc, frame);
    return true;
  case FUTEX_CMP_REQUEUE:
    result = futex_requeue(word, other, value, second, &third, pc, frame);
    return true;
  case FUTEX_WAKE_OP:
    result = futex_wake_op(word, other, value, second, static_cast<std::uint32_t>(third), pc, frame);
    return true;
  default:
    return owned_futex_call(a, pc, frame, result);
  }
}

} // namespace reex

using namespace reex;

// Guards of function-local statics (Itanium C++ ABI 3.3.3): byte 0 says that the initialization is done.
// `once` is the runtime's own.
namespace {
struct Guard {
  std::uint8_t done;
  std::uint8_t waiting[3];
  Once once;
};
static_assert(sizeof(Guard) == 8);
} // namespace

REEX_EXPORT int __cxa_guard_acquire(std::uint64_t* object) noexcept {
  auto& guard = *reinterpret_cast<Guard*>(object);
  if (guard.done != 0) return 0;
  REEX_POINT(Operation::once, &guard.once);
  if (guard.done != 0) return 0;
  fingerprint_gate(&guard.once, 0, g.current->id + 1);
  guard.once.state = g.current->id + 1;
  return 1;
}

REEX_EXPORT void __cxa_guard_release(std::uint64_t* object) noexcept {
  auto& guard = *reinterpret_cast<Guard*>(object);
  REEX_POINT(Operation::once_done, &guard.once);
  fingerprint_gate(&guard.once, g.current->id + 1, 0);
  guard.once.state = Once::k_done;
  guard.done = 1;
  fingerprint_words(Operation::once_done, object, sizeof guard.done);
  release_to(object); // inlined code reads the first byte with an acquire load
}

REEX_EXPORT void __cxa_guard_abort(std::uint64_t* object) noexcept {
  auto& guard = *reinterpret_cast<Guard*>(object);
  REEX_POINT(Operation::once_done, &guard.once);
  fingerprint_gate(&guard.once, g.current->id + 1, 0);
  guard.once.state = 0;
}
