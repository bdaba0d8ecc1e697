// Virtual time: it stands still while anybody can run, jumps to the next deadline when nobody can, and creeps
// on when a thread does nothing but read the clock.
#include <cerrno>
#include <sys/time.h>
#include <unistd.h>

#include "reex/runtime/objects.h"

namespace reex {
namespace {

constexpr std::uint64_t k_second = 1000000000;
constexpr std::uint64_t k_realtime_start = 1577836800 * k_second; // 2020-01-01
constexpr std::uint64_t k_monotonic_start = 1000 * k_second;
constexpr std::uint32_t k_idle_reads = 3;      // clock reads in a row that move time
constexpr std::uint64_t k_idle_step = 1000000; // by a millisecond

std::uint64_t start_of(clockid_t clock) {
  switch (clock) {
  case CLOCK_REALTIME:
  case CLOCK_REALTIME_COARSE:
  case CLOCK_TAI:
    return k_realtime_start;
  case CLOCK_PROCESS_CPUTIME_ID:
  case CLOCK_THREAD_CPUTIME_ID:
    return 0;
  default:
    return k_monotonic_start;
  }
}

std::uint64_t nanoseconds(const timespec& time) {
  if (time.tv_sec < 0) return 0;
  const auto seconds = static_cast<std::uint64_t>(time.tv_sec);
  if (seconds > k_never / k_second - 1) return k_never - 1; // further than time goes
  return seconds * k_second + static_cast<std::uint64_t>(time.tv_nsec);
}

std::uint64_t add(std::uint64_t a, std::uint64_t b) { return a > k_never - 1 - b ? k_never - 1 : a + b; }

int sleep_until(std::uint64_t deadline, void* pc, void* frame) {
  visible_pending(Operation::sleep, nullptr, pc, frame, deadline, 0);
  return 0;
}

bool valid(const timespec* time) { return time->tv_nsec >= 0 && time->tv_nsec < static_cast<long>(k_second); }

} // namespace

std::uint64_t deadline_of(clockid_t clock, const timespec* absolute) {
  const std::uint64_t time = nanoseconds(*absolute);
  const std::uint64_t start = start_of(clock);
  return time > start ? time - start : 0;
}

std::uint64_t read_clock() {
  if (++g.clock_reads >= k_idle_reads) g.now += k_idle_step;
  return g.now;
}

timespec timespec_of(clockid_t clock, std::uint64_t now) {
  const std::uint64_t time = start_of(clock) + now;
  return {static_cast<time_t>(time / k_second), static_cast<long>(time % k_second)};
}

} // namespace reex

using namespace reex;

REEX_EXPORT int clock_gettime(clockid_t clock, timespec* time) noexcept {
  *time = timespec_of(clock, read_clock());
  return 0;
}

REEX_EXPORT int clock_getres(clockid_t, timespec* resolution) noexcept {
  if (resolution != nullptr) *resolution = {0, 1};
  return 0;
}

REEX_EXPORT int gettimeofday(timeval* __restrict time, void* __restrict) noexcept {
  const timespec now = timespec_of(CLOCK_REALTIME, read_clock());
  *time = {now.tv_sec, now.tv_nsec / 1000};
  return 0;
}

REEX_EXPORT time_t time(time_t* out) noexcept {
  const time_t seconds = timespec_of(CLOCK_REALTIME, read_clock()).tv_sec;
  if (out != nullptr) *out = seconds;
  return seconds;
}

REEX_EXPORT clock_t clock() noexcept { return static_cast<clock_t>(read_clock() / 1000); }

REEX_EXPORT int nanosleep(const timespec* requested, timespec* remaining) {
  if (!valid(requested)) {
    errno = EINVAL;
    return -1;
  }
  const std::uint64_t deadline =
      add(g.now, nanoseconds(*requested)); // libstdc++ passes the same object twice
  if (remaining != nullptr) *remaining = {};
  return sleep_until(deadline, REEX_CALLER, REEX_FRAME);
}

REEX_EXPORT int clock_nanosleep(clockid_t clock, int flags, const timespec* requested, timespec* remaining) {
  if (!valid(requested)) return EINVAL;
  const std::uint64_t deadline =
      (flags & TIMER_ABSTIME) != 0 ? deadline_of(clock, requested) : add(g.now, nanoseconds(*requested));
  if (remaining != nullptr && (flags & TIMER_ABSTIME) == 0) *remaining = {};
  return sleep_until(deadline, REEX_CALLER, REEX_FRAME);
}

REEX_EXPORT int usleep(useconds_t microseconds) {
  return sleep_until(add(g.now, microseconds * std::uint64_t{1000}), REEX_CALLER, REEX_FRAME);
}

REEX_EXPORT unsigned sleep(unsigned seconds) {
  sleep_until(add(g.now, seconds * k_second), REEX_CALLER, REEX_FRAME);
  return 0;
}
