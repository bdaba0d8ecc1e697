// Virtual time. Who reads clocks or computes deadlines uses environment/clock.h; this is the number itself,
// for those who move it: the scheduler, and what waits for the world outside.
#pragma once

#include <cstdint>

namespace reex {

struct VirtualTime {
  std::uint64_t now = 0;         // ns since the process began; reset before each execution
  std::uint32_t clock_reads = 0; // in a row, without an operation; reset before each execution
};

extern VirtualTime g_time;

} // namespace reex
