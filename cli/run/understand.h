// What is done with a failure after it was found: its schedule is reduced to the switches that it needs,
// and executed with the base's build of the test.
#pragma once

#include "reex/run/options.h"
#include "reex/trace/trace_reader.h"

namespace reex {

struct UnderstandOptions {
  RuntimeFiles runtime;
  FrameBits frame_bits;
  std::string base_binary; // "" for none
};

// Writes the reduced schedule to the failure's file. A failure without a file stays as it is.
void understand(TestRun& run, const UnderstandOptions& options);

} // namespace reex
