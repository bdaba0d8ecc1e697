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

// A part without an entry needs no memory, and is not read.
inline constexpr unsigned k_operation_part = k_operation_places / 64; // entries

struct OperationCounts {
  std::uint64_t parts; // that have an entry; the lowest bit is the first part
  OperationCount entry[k_operation_places];
};

} // namespace reex
