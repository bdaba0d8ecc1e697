// Examines each failure of a test after its exploration: marks the lines on which the change has an impact,
// as far as it is known by then, reduces the schedule to the switches that it needs, searches a little for
// one with fewer preemptions, and executes what comes of it with the base's build of the test.
#pragma once

#include "reex/run/options.h"
#include "reex/trace/trace_reader.h"

namespace reex {

struct UnderstandOptions {
  RuntimeFiles runtime;
  FrameBits frame_bits;
  std::string heuristic;   // that orders the search for fewer preemptions; "" for none
  std::string base_binary; // "" for none
};

// Writes the reduced schedule to the failure's file. It does not change a failure without a file.
void understand(TestRun& run, const UnderstandOptions& options);

// The same of the findings that failed by now (judge_findings.h), the first few of them: a sample meets a
// race by many preemptions that it does not need. Where an operation of the change is told beside the
// accesses, the same threads must meet at the same lines. Cost: at most two seconds.
void reduce_races(TestRun& run, const UnderstandOptions& options);

} // namespace reex
