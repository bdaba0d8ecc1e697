// Record "known failures": the failures of one run by key, with their counts. Open addressing by key.
#pragma once

#include <cstdint>

#include "reex/shared/limits.h"

namespace reex {

struct KnownFailure {
  std::uint64_t key;
  std::uint64_t count; // executions; 0 where all that failed are counted by another shard
  bool used;
  bool forgotten;    // it did not fail again when it was executed once more
  std::uint8_t told; // how often that was reported
};

} // namespace reex
