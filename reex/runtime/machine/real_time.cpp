#include <ctime>
#include <sys/syscall.h>

#include "reex/runtime/machine/platform.h"
#include "reex/runtime/machine/real_time.h"

namespace reex {

std::uint64_t real_now() {
  timespec time{};
  raw_syscall(SYS_clock_gettime, CLOCK_MONOTONIC, as_long(&time));
  return static_cast<std::uint64_t>(time.tv_sec) * 1000000000 + static_cast<std::uint64_t>(time.tv_nsec);
}

bool pause_really(std::uint64_t nanoseconds) {
  constexpr std::uint64_t k_second = 1000000000;
  const timespec time{static_cast<time_t>(nanoseconds / k_second), static_cast<long>(nanoseconds % k_second)};
  return raw_syscall(SYS_nanosleep, as_long(&time), 0) == 0;
}

} // namespace reex
