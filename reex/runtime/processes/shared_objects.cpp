#include "reex/runtime/core/shared_objects.h"

#include <atomic>
#include <climits>
#include <csignal>
#include <ctime>
#include <linux/futex.h>
#include <sys/mman.h>

#include "reex/runtime/core/enabled.h"
#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/objects.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/virtual_time.h"
#include "reex/runtime/descriptors/outside.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/runtime/order/happens_before.h"

namespace reex {

bool g_sharing = false;
bool g_holds_shared = false;
const char g_outside = 0;

namespace {

constexpr unsigned k_waiters = 1000;
constexpr std::int32_t k_threads_of_process =
    512; // marks of owners have room for 22 bits of a process's number

struct Waiter {
  const void* condition; // null: the entry is free
  std::uint64_t ticket;
  std::int32_t process;
  std::uint16_t thread;
  bool notified;
};

struct Page {
  std::atomic<std::int32_t> lock;     // the process that holds it; 0: none
  std::atomic<std::uint32_t> changes; // a futex
  std::atomic<std::uint32_t> asleep;  // processes that wait for it
  bool closed;                        // end_early_sharing
  std::uint64_t tickets;
  Waiter waiters[k_waiters];
};

Page* g_page = nullptr;
std::uint32_t g_seen = 0;

std::int32_t own_process() { return static_cast<std::int32_t>(raw_syscall(SYS_getpid)); }

void lock_page() {
  const std::int32_t own = own_process();
  constexpr unsigned k_tries = 1000;
  for (unsigned tries = 0;; ++tries) {
    std::int32_t holder = 0;
    if (g_page->lock.compare_exchange_strong(holder, own) || holder == own) break;
    if (tries % k_tries == k_tries - 1 && has_ended(holder) &&
        g_page->lock.compare_exchange_strong(holder, own))
      break;
    raw_syscall(SYS_sched_yield);
  }
  g_holds_shared = true;
}

void unlock_page() {
  g_holds_shared = false;
  g_page->lock.store(0);
}

Waiter* entry_of(const Fiber& fiber) {
  const std::int32_t own = own_process();
  for (Waiter& waiter : g_page->waiters)
    if (waiter.condition != nullptr && waiter.process == own && waiter.thread == fiber.id) return &waiter;
  return nullptr;
}

} // namespace

void begin_sharing() {
  if (g_page == nullptr) {
    const long made =
        raw_syscall(SYS_mmap, 0, sizeof(Page), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (made < 0 && made > -4096) internal_error("no memory for objects that processes share");
    g_page = reinterpret_cast<Page*>(made);
  }
  g_sharing = true;
}

void end_early_sharing() {
  if (children() != Children::none) {
    g_page->closed = true;
    return;
  }
  g_page = nullptr; // a worker that forks makes one of its own
  g_sharing = false;
}

void let_children_rest() {
  constexpr unsigned k_few_looks = 3; // a child that was woken is at work at once
  if (g.controlled) is_up_to_children([] { return false; }, k_few_looks);
}

bool shares(const Fiber& fiber) {
  return g_sharing && is_process_shared(fiber.pending.operation, fiber.pending.object);
}

std::int32_t mark_in_child(const Fiber& fiber) {
  return -(own_process() * k_threads_of_process + fiber.id % k_threads_of_process);
}

bool is_owner_gone(std::int32_t mark, bool process_shared) {
  if (mark < 0) {
    const std::int32_t process = -mark / k_threads_of_process;
    return process != own_process() && has_ended(process);
  }
  if (process_shared && g.forked_off) refuse("a robust mutex that another process holds");
  return live_thread(static_cast<unsigned>(mark) - 1) == nullptr;
}

bool claim_shared(Fiber& self) {
  if (!shares(self)) return true;
  if (g_page->closed)
    refuse("a synchronization object together with a process that it forked before its first thread");
  lock_page();
  if (is_enabled(self)) {
    fingerprint_dark(true);
    acquire_from(&g_outside);
    return true;
  }
  unlock_page();
  return false;
}

void release_shared() {
  release_to(&g_outside);
  unlock_page();
  g_page->changes.fetch_add(1);
  if (g_page->asleep.load() != 0) raw_syscall(SYS_futex, as_long(&g_page->changes), FUTEX_WAKE, INT_MAX, 0);
  let_children_rest();
}

void look_at_sharers() {
  if (g_sharing) g_seen = g_page->changes.load();
}

void await_sharers(Fiber& self, std::uint64_t until) {
  if (until <= g_time.now) return;
  constexpr std::uint64_t k_longest = 1000000000; // so that a process notices that another one has ended
  constexpr std::uint64_t k_second = 1000000000;
  const std::uint64_t left = until - g_time.now < k_longest ? until - g_time.now : k_longest;
  const timespec time{static_cast<time_t>(left / k_second), static_cast<long>(left % k_second)};
  g_page->asleep.fetch_add(1);
  const long ended = raw_syscall(SYS_futex, as_long(&g_page->changes), FUTEX_WAIT, g_seen, as_long(&time));
  g_page->asleep.fetch_sub(1);
  if (ended == -EINTR && self.pending.operation == Operation::semaphore_wait) self.pending.interrupted = true;
}

void join_waiters(const Fiber& self, const void* condition) {
  for (Waiter& waiter : g_page->waiters) {
    if (waiter.condition != nullptr && !has_ended(waiter.process)) continue;
    waiter = {condition, ++g_page->tickets, own_process(), self.id, false};
    return;
  }
  refuse("more than 1000 waits at once for conditions that processes share");
}

bool leave_waiters(const Fiber& self) {
  Waiter* const own = entry_of(self);
  if (own == nullptr) return false;
  own->condition = nullptr;
  return own->notified;
}

bool is_notified(const Fiber& fiber) {
  const Waiter* const own = g_sharing ? entry_of(fiber) : nullptr;
  return own != nullptr && own->notified;
}

bool is_listed(const Fiber& fiber) { return g_sharing && entry_of(fiber) != nullptr; }

unsigned notify_waiters(const void* condition, unsigned most) {
  unsigned count = 0;
  for (; count < most; ++count) {
    Waiter* oldest = nullptr;
    for (Waiter& waiter : g_page->waiters)
      if (waiter.condition == condition && !waiter.notified && !has_ended(waiter.process) &&
          (oldest == nullptr || waiter.ticket < oldest->ticket))
        oldest = &waiter;
    if (oldest == nullptr) break;
    oldest->notified = true;
  }
  return count;
}

} // namespace reex
