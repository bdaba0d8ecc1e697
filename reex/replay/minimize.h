// A failing schedule with as few switches as its failure needs.
#pragma once

#include <chrono>
#include <string>

#include "reex/schedules/schedule_file.h"
#include "reex/trace/trace_reader.h"

namespace reex {

struct MinimizeOptions {
  RuntimeFiles runtime;
  FrameBits frame_bits;
  unsigned executions = 0; // at most, 0: no limit
  std::chrono::milliseconds time{0};
  // Schedules of a search, at most, for the same failure with fewer preemptions than leaving out reaches.
  std::uint64_t search = 0;
};

struct MinimizeResult {
  std::string error; // why there is no result, one line
  ScheduleFile file; // the reduced schedule
  Failure failure;   // of its execution
  Reduced reduced;
};

// The failure keeps its key. `file` must be of the binary as it is now, and fail.
MinimizeResult minimize(const ScheduleFile& file, const MinimizeOptions& options);

} // namespace reex
