// Reads the record "trace" (reex/shared/trace.h).
#pragma once

#include <cstdint>
#include <vector>

#include "reex/shared/trace.h"

namespace reex {

// Every stack in it lies within `pcs`; every operation and every reason to leave is one that there is.
struct TraceCopy {
  std::uint64_t length = 0; // operations of the execution; `steps` has the first ones
  std::vector<TraceStep32> steps;
  std::vector<TracePosition> positions; // by number of the thread; of some that have ended there is none
  TraceBlock block = {};
  std::vector<std::uint64_t> pcs;
};

// Cost: the size of what the trace holds, never that of its room.
TraceCopy read_trace(const Trace& shared);

} // namespace reex
