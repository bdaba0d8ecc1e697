// Futexes, which std::atomic::wait, std::latch and similar classes use; and the guards of function-local
// statics.
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdarg>
#include <linux/futex.h>
#include <sys/random.h>
#include <unistd.h>

#include "reex/runtime/core/objects.h"
#include "reex/runtime/core/virtual_time.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/environment/clock.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/runtime/order/happens_before.h"
#include "reex/runtime/primitives/futex.h"
#include "reex/runtime/record/trace.h"
#include "reex/search/search.h"

namespace reex {
namespace {

bool sleeps_on(const Pending& pending, const void* word) {
  return pending.operation == Operation::futex_sleep && pending.object == word && !pending.notified &&
         !pending.timed_out;
}

// The thread's sleep on the word; null if there is none. A thread in a handler has left the kernel's queue;
// it counts as a sleeper, because natively the wake-up could have come before the handler.
Pending* sleep_of(Fiber& fiber, const void* word) {
  if (fiber.state != FiberState::live) return nullptr;
  if (sleeps_on(fiber.pending, word)) return &fiber.pending;
  for (InterruptedWait* wait = fiber.interrupted; wait != nullptr; wait = wait->outer)
    if (sleeps_on(wait->pending, word)) return &wait->pending;
  return nullptr;
}

long futex_wait(int* word, int expected, std::uint64_t deadline, void* pc, void* frame) {
  visible(Operation::futex_wait, word, pc, frame);
  const int seen = __atomic_load_n(word, __ATOMIC_SEQ_CST);
  if (seen != expected) {
    note_read(word, static_cast<std::uint64_t>(seen));
    errno = EAGAIN;
    return -1;
  }
  g.current->pending.value = static_cast<std::uint32_t>(expected);
  wait_until(Operation::futex_sleep, word, deadline_of_wait(deadline));
  if (g.current->pending.notified) {
    g.current->past_deadlines = 0;
    return 0;
  }
  if (g.current->pending.interrupted)
    errno = __atomic_load_n(word, __ATOMIC_SEQ_CST) == expected ? EINTR : EAGAIN;
  else
    errno = ETIMEDOUT;
  return -1;
}

long futex_wake(void* word, int most, void* pc, void* frame) {
  visible(Operation::futex_wake, word, pc, frame);
  int woken = 0;
  for (; woken < most; ++woken) {
    std::uint16_t ids[k_max_threads];
    unsigned count = 0;
    for (Fiber* fiber : alive())
      if (sleep_of(*fiber, word) != nullptr) ids[count++] = fiber->id;
    if (count == 0) break;
    const bool all = most - woken >= static_cast<int>(count);
    Fiber& sleeper = all ? *live_thread(ids[0]) : choose_waiter(ids, count);
    sleep_of(sleeper, word)->notified = true;
    fingerprint_touch(sleeper);
  }
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
  if (operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET) {
    const std::uint64_t deadline =
        futex_deadline(static_cast<int>(a[1]), reinterpret_cast<const timespec*>(a[3]));
    result = futex_wait(reinterpret_cast<int*>(a[0]), static_cast<int>(a[2]), deadline, pc, frame);
    return true;
  }
  if (operation != FUTEX_WAKE && operation != FUTEX_WAKE_BITSET) return false;
  result = futex_wake(reinterpret_cast<void*>(a[0]), static_cast<int>(a[2]), pc, frame);
  return true;
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
