// Real time, for waits for other processes.
#pragma once

#include <cstdint>

namespace reex {

std::uint64_t real_now();                     // ns, monotonic
bool pause_really(std::uint64_t nanoseconds); // false: a signal interrupted the pause

} // namespace reex
