// Makes a failing schedule smaller: it leaves out choices as long as the failure keeps its key and gets no
// more preemptions.
//
// Callers: the parent process. minimize() starts a test process and waits until it has ended.
//
// Invariants: the result fails with the same key as `file`, and has at most as many preemptions. Without
// `search`, it has at most as many choices too. If Reduced::complete is set, no single remaining choice can
// be left out. Another schedule of the same failure may still be smaller.
//
// Cost: one execution for each candidate (reduction.h), plus two. `executions` and `time` limit the
// candidates of all reductions together. `search` adds an exploration of up to so many schedules, and another
// reduction of what it finds, again and again; `search_time` limits the exploration.
//
// Errors: MinimizeResult::error. With `search`, minimize() throws what explore() and read_schedule_file()
// throw.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "reex/schedules/schedule_file.h"
#include "reex/trace/trace_reader.h"

namespace reex {

struct MinimizeResult;

struct MinimizeOptions {
  RuntimeFiles runtime;
  FrameBits frame_bits;
  unsigned executions = 0;           // the limit; 0: no limit
  std::chrono::milliseconds time{0}; // the limit; 0: no limit
  // If this is not 0, minimize() then searches up to so many schedules for the same failure with fewer
  // preemptions than the reduced schedule has. It goes by `heuristic`, which needs `frame_bits`; "" for none.
  std::uint64_t search = 0;
  std::chrono::milliseconds search_time{0}; // the limit; 0: no limit
  std::string heuristic = "";
  // Whether a schedule that the search has found may take the place of the one that it was to improve. Empty:
  // any may.
  std::function<bool(const MinimizeResult&)> accepts = {};
};

struct MinimizeResult {
  RunError error;    // why there is no result
  ScheduleFile file; // the reduced schedule
  Failure failure;   // of its execution
  Reduced reduced;
};

// `file` must fit the current binary, and fail.
MinimizeResult minimize(const ScheduleFile& file, const MinimizeOptions& options);

} // namespace reex
