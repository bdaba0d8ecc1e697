// Examines each failure of a test after its exploration: reduces its schedule to the switches that it needs,
// and executes it with the base's build of the test.
#pragma once

#include "reex/run/options.h"
#include "reex/trace/trace_reader.h"

namespace reex {

struct UnderstandOptions {
  RuntimeFiles runtime;
  FrameBits frame_bits;
  std::string base_binary; // "" for none
};

// Writes the reduced schedule to the failure's file. It does not change a failure without a file.
void understand(TestRun& run, const UnderstandOptions& options);

} // namespace reex
