// Sleeps, in virtual time.
#include <cerrno>
#include <ctime>
#include <unistd.h>

#include "reex/runtime/core/virtual_time.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/environment/clock.h"
#include "reex/runtime/order/buffers.h"
#include "reex/runtime/record/unexplored.h"

namespace reex {

namespace {

constexpr std::uint64_t k_second = 1000000000;

} // namespace

int sleep_until(std::uint64_t deadline, timespec* remaining, void* pc, void* frame) {
  will_write_buffer(remaining, pc);
  const bool waits = g.controlled && deadline > g_time.now && !g.control->config.sleeps_any;
  const std::uint64_t step = g.step;
  visible_pending(Operation::sleep, nullptr, pc, frame, deadline, 0);
  if (waits && g.step > step + 1) note_ordering_sleep(pc);
  testcancel();
  const bool interrupted = g.current->pending.interrupted;
  if (remaining != nullptr) {
    const std::uint64_t left = interrupted && deadline > g_time.now ? deadline - g_time.now : 0;
    *remaining = {static_cast<time_t>(left / k_second), static_cast<long>(left % k_second)};
    if (interrupted) writes_object(remaining, pc);
  }
  return interrupted ? EINTR : 0;
}

} // namespace reex

using namespace reex;

REEX_EXPORT int nanosleep(const timespec* requested, timespec* remaining) {
  reads_object(requested, REEX_CALLER);
  if (!is_duration(*requested)) {
    errno = EINVAL;
    return -1;
  }
  const int error = sleep_until(deadline_after(*requested), remaining, REEX_READ_CALLER);
  if (error == 0) return 0;
  errno = error;
  return -1;
}

namespace {
bool can_sleep_by(clockid_t clock) {
  return clock != CLOCK_MONOTONIC_RAW && clock != CLOCK_REALTIME_COARSE && clock != CLOCK_MONOTONIC_COARSE;
}
} // namespace

REEX_EXPORT int clock_nanosleep(clockid_t clock, int flags, const timespec* requested, timespec* remaining) {
  if (!is_clock(clock) || clock == CLOCK_THREAD_CPUTIME_ID) return EINVAL;
  if (!can_sleep_by(clock)) return EOPNOTSUPP;
  reads_object(requested, REEX_CALLER);
  if (!is_duration(*requested)) return EINVAL;
  if ((flags & TIMER_ABSTIME) != 0)
    return sleep_until(deadline_of(clock, requested), nullptr, REEX_READ_CALLER);
  return sleep_until(deadline_after(*requested), remaining, REEX_READ_CALLER);
}

REEX_EXPORT int usleep(useconds_t microseconds) {
  const int error =
      sleep_until(deadline_after(microseconds * std::uint64_t{1000}), nullptr, REEX_READ_CALLER);
  if (error == 0) return 0;
  errno = error;
  return -1;
}

REEX_EXPORT unsigned sleep(unsigned seconds) {
  timespec left{};
  sleep_until(deadline_after(seconds * k_second), &left, REEX_READ_CALLER);
  return static_cast<unsigned>(left.tv_sec) + (left.tv_nsec != 0 ? 1 : 0);
}

REEX_EXPORT int thrd_sleep(const timespec* requested, timespec* remaining) {
  reads_object(requested, REEX_CALLER);
  if (!is_duration(*requested)) return -2;
  return sleep_until(deadline_after(*requested), remaining, REEX_READ_CALLER) == 0 ? 0 : -1;
}
