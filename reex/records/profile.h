// Reads what a worker's samplers have learned (reex/search/sampling_state.h).
#pragma once

#include <cstdint>
#include <vector>

#include "reex/search/sampling_state.h"

namespace reex {

struct ProfiledObjectCopy {
  std::uint64_t object = 0;
  std::uint64_t total = 0;
  std::uint32_t first_thread = 0;
  bool several_threads = false;
  bool written = false;
  std::vector<std::uint64_t> counts; // of each thread
};

struct ProfileCopy {
  MemoryLayout layout = {};
  std::uint64_t executions = 0;
  std::vector<std::uint16_t> parents; // of each thread
  std::vector<std::uint64_t> all;
  std::vector<std::uint64_t> impacted;
  std::vector<ProfiledObjectCopy> objects;
  std::uint64_t longest = 0; // of pct
};

// Once the worker's processes have ended.
ProfileCopy read_profile(const SamplingState& shared);

} // namespace reex
