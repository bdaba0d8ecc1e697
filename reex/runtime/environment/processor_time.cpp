// What a process and a thread have used, as far as it is time: the virtual time in which they could run. What
// the ended children of the test have used is the kernel's to tell, for they run without control.
#include <cerrno>
#include <cstring>
#include <sys/resource.h>
#include <sys/times.h>
#include <unistd.h>

#include "reex/runtime/core/runtime.h"
#include "reex/runtime/environment/clock.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/order/buffers.h"

using namespace reex;

namespace {

constexpr std::uint64_t k_tick = 10000000; // ns of a clock tick, of which there are 100 in a second

long as_result(long answer) {
  if (answer >= 0 || answer < -4095) return answer;
  errno = static_cast<int>(-answer);
  return -1;
}

} // namespace

REEX_EXPORT clock_t times(tms* used) noexcept {
  will_write_buffer(used, REEX_CALLER);
  const std::uint64_t now = read_clock(REEX_CALLER);
  tms kernel{};
  raw_syscall(SYS_times, as_long(&kernel));
  if (!g.forked_off) {
    kernel.tms_utime = static_cast<clock_t>(processor_time(CLOCK_PROCESS_CPUTIME_ID) / k_tick);
    kernel.tms_stime = 0;
  }
  if (used != nullptr) *used = kernel;
  writes_object(used, REEX_CALLER);
  const timespec time = timespec_of(CLOCK_MONOTONIC, now);
  return time.tv_sec * 100 + time.tv_nsec / static_cast<long>(k_tick);
}

REEX_EXPORT int getrusage(__rusage_who_t who, rusage* used) noexcept {
  will_write_buffer(used, REEX_CALLER);
  const bool own = who == RUSAGE_SELF || who == RUSAGE_THREAD;
  if (!own || g.forked_off)
    return static_cast<int>(as_result(raw_syscall(SYS_getrusage, static_cast<long>(who), as_long(used))));
  const clockid_t clock = who == RUSAGE_THREAD ? CLOCK_THREAD_CPUTIME_ID : CLOCK_PROCESS_CPUTIME_ID;
  const timespec now = timespec_of(clock, read_clock(REEX_CALLER));
  memset(used, 0, sizeof *used);
  used->ru_utime = {now.tv_sec, now.tv_nsec / 1000};
  writes_object(used, REEX_CALLER);
  return 0;
}
