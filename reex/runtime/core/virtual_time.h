// The number that is virtual time. Code that reads clocks or computes deadlines uses environment/clock.h.
// Code that moves time uses this header: the scheduler, and the code that waits for other processes.
//
// Invariants: a restore leaves g_time alone; reset_runtime then sets `now` to its value at the start of the
// worker, and clock_reads to 0. A new worker starts with the zygote's values.
#pragma once

#include <cstdint>

namespace reex {

struct VirtualTime {
  std::uint64_t now = 0;         // ns since the process began
  std::uint32_t clock_reads = 0; // clock readings in a row without another operation
};

extern VirtualTime g_time;

} // namespace reex
