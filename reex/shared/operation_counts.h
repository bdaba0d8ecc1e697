// Record "operation counts": how many visible operations came from each return address in the first
// executions. Open addressing; the worker writes it.
#pragma once

#include <cstdint>

#include "reex/shared/limits.h"

namespace reex {

struct OperationCount {
  std::uint64_t pc; // 0: free
  std::uint64_t count;
};

} // namespace reex
