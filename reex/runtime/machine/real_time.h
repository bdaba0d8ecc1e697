// Real time, for what waits for other processes.
#pragma once

#include <cstdint>

namespace reex {

std::uint64_t real_now();                     // ns, monotonic
bool pause_really(std::uint64_t nanoseconds); // false: a signal came

} // namespace reex
