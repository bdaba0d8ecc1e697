#include "reex/runtime/descriptors/timer_descriptors.h"

#include <algorithm>
#include <fcntl.h>
#include <iterator>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/virtual_time.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/descriptors/calls.h"
#include "reex/runtime/descriptors/channels.h"
#include "reex/runtime/environment/clock.h"
#include "reex/runtime/machine/kept_call.h"
#include "reex/runtime/order/buffers.h"
#include "reex/runtime/record/unexplored.h"

namespace reex {
namespace {

constexpr std::uint64_t k_second = 1000000000;
constexpr unsigned k_timers = 64;

struct Timer {
  int descriptor = -1;
  clockid_t clock = CLOCK_MONOTONIC;
  std::uint64_t expires = k_never; // virtual time
  std::uint64_t interval = 0;      // 0: once
};
constinit Timer g_timers[k_timers]; // valid before any constructor runs
unsigned g_armed = 0;
Timer g_timers_at_start[k_timers];
unsigned g_armed_at_start = 0;

Timer* find(int descriptor) {
  for (Timer& timer : g_timers)
    if (timer.descriptor == descriptor) return &timer;
  return nullptr;
}

void arm(Timer& timer, std::uint64_t expires) {
  if (timer.expires != k_never) --g_armed;
  timer.expires = expires;
  if (expires != k_never) ++g_armed;
}

timespec time_of(std::uint64_t length) {
  return {static_cast<time_t>(length / k_second), static_cast<long>(length % k_second)};
}

itimerspec setting_of(const Timer& timer) {
  const std::uint64_t left = timer.expires == k_never     ? 0
                             : timer.expires > g_time.now ? timer.expires - g_time.now
                                                          : 1;
  return {.it_interval = time_of(timer.interval), .it_value = time_of(left)};
}

void discard_expirations(int descriptor) {
  note_channel_change();
  std::uint64_t count = 0;
  if (is_ready(descriptor, POLLIN)) reex_kept_call(SYS_read, descriptor, as_long(&count), sizeof count);
}

void add_expirations(const Timer& timer, std::uint64_t times) {
  reex_kept_call(SYS_write, timer.descriptor, as_long(&times), sizeof times);
}

// Tries it: an epoll, or one in another one, does not say otherwise what it watches.
bool would_end(const Pending& wait, const Timer& timer) {
  Pending asked = wait;
  asked.asked_at = 0;
  add_expirations(timer, 1);
  const bool ends = asked.operation == Operation::poll ? poll_ready(asked) : channel_ready(asked);
  std::uint64_t times = 0;
  reex_kept_call(SYS_read, timer.descriptor, as_long(&times), sizeof times);
  return ends;
}

bool valid(const timespec& time) {
  return time.tv_sec >= 0 && time.tv_nsec >= 0 && time.tv_nsec < static_cast<long>(k_second);
}

} // namespace

std::uint64_t next_timer_descriptor() {
  std::uint64_t next = k_never;
  if (g_armed == 0) return next;
  for (const Timer& timer : g_timers)
    if (timer.expires < next && !is_ready(timer.descriptor, POLLIN)) next = timer.expires;
  return next;
}

std::uint64_t timer_for(const Pending& wait) {
  if (g_armed == 0 || (wait.operation != Operation::poll && wait.operation != Operation::channel_read))
    return k_never;
  const std::uint32_t now = channel_changes();
  if (now != 0 && wait.timer_at == now) return wait.timer;
  wait.timer = k_never;
  wait.timer_at = now;
  for (const Timer& timer : g_timers)
    if (timer.expires < wait.timer && !is_ready(timer.descriptor, POLLIN) && would_end(wait, timer))
      wait.timer = timer.expires;
  return wait.timer;
}

void expire_timer_descriptors() {
  if (g_armed == 0) return;
  for (Timer& timer : g_timers) {
    if (timer.expires > g_time.now) continue;
    const std::uint64_t times = timer.interval == 0 ? 1 : 1 + (g_time.now - timer.expires) / timer.interval;
    add_expirations(timer, times);
    note_channel_change();
    arm(timer, timer.interval == 0 ? k_never : timer.expires + times * timer.interval);
  }
}

void expire_before(std::uint64_t deadline) {
  const std::uint64_t next = next_timer_descriptor();
  if (next == k_never || next > deadline) return;
  if (next > g_time.now) jump_time(next);
  expire_timer_descriptors();
}

void expire_for(int descriptor) {
  const Timer* timer = find(descriptor);
  if (timer != nullptr && !is_ready(descriptor, POLLIN) && timer->expires != k_never)
    expire_before(timer->expires);
}

void forget_timer(int descriptor) {
  Timer* timer = find(descriptor);
  if (timer == nullptr) return;
  arm(*timer, k_never);
  *timer = {};
}

void snapshot_timer_descriptors() {
  std::copy(std::begin(g_timers), std::end(g_timers), g_timers_at_start);
  g_armed_at_start = g_armed;
}

void restore_timer_descriptors() {
  std::copy(std::begin(g_timers_at_start), std::end(g_timers_at_start), g_timers);
  g_armed = g_armed_at_start;
}

} // namespace reex

using namespace reex;

REEX_EXPORT int timerfd_create(clockid_t clock, int flags) noexcept {
  if (g.forked_off) return static_cast<int>(as_result(raw_syscall(SYS_timerfd_create, clock, flags)));
  static_assert(int{TFD_NONBLOCK} == int{EFD_NONBLOCK} && int{TFD_CLOEXEC} == int{EFD_CLOEXEC});
  const long made = make_descriptors({SYS_eventfd2, {0, flags}, REEX_CALLER, REEX_FRAME});
  if (made >= 0) {
    Timer* const timer = find(-1); // only now: before it is made, others may make theirs
    if (timer == nullptr) refuse("more than 64 descriptors of timers at once");
    *timer = {.descriptor = static_cast<int>(made), .clock = clock};
  }
  return static_cast<int>(as_result(made));
}

REEX_EXPORT int timerfd_settime(int descriptor, int flags, const itimerspec* setting,
                                itimerspec* before) noexcept {
  Timer* timer = find(descriptor);
  if (timer == nullptr)
    return static_cast<int>(
        as_result(raw_syscall(SYS_timerfd_settime, descriptor, flags, as_long(setting), as_long(before))));
  reads_object(setting, REEX_CALLER);
  will_write_buffer(before, REEX_CALLER);
  if (!valid(setting->it_value) || !valid(setting->it_interval)) {
    errno = EINVAL;
    return -1;
  }
  if (g.active) {
    begin_channel_call(SYS_timerfd_settime, descriptor);
    REEX_POINT(Operation::channel_write, label_of(descriptor));
    timer = find(descriptor);
    if (timer == nullptr) { // another thread has closed it
      errno = EBADF;
      return -1;
    }
  }
  if (before != nullptr) *before = setting_of(*timer);
  writes_object(before, REEX_CALLER);
  discard_expirations(descriptor);
  timer->interval = nanoseconds(setting->it_interval);
  const std::uint64_t value = nanoseconds(setting->it_value);
  if (value != 0) note_clock_reading(REEX_CALLER);
  if (value == 0)
    arm(*timer, k_never);
  else
    arm(*timer, (flags & TFD_TIMER_ABSTIME) != 0 ? deadline_of(timer->clock, &setting->it_value)
                                                 : deadline_after(value));
  expire_timer_descriptors();
  return 0;
}

REEX_EXPORT int timerfd_gettime(int descriptor, itimerspec* setting) noexcept {
  const Timer* timer = find(descriptor);
  if (timer == nullptr)
    return static_cast<int>(as_result(raw_syscall(SYS_timerfd_gettime, descriptor, as_long(setting))));
  will_write_buffer(setting, REEX_CALLER);
  *setting = setting_of(*timer);
  writes_object(setting, REEX_CALLER);
  return 0;
}
