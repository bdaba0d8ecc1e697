// The progress of an exploration.
#pragma once

#include <cstdint>
#include <vector>

#include "reex/run/result.h"

namespace reex {

struct Progress {
  std::uint64_t schedules = 0;
  std::uint64_t pending = 0; // schedules in the frontier
  std::vector<Left> left;    // estimated
  unsigned bound = 0;        // the preemption level
  bool sampled = false;      // each execution is drawn by itself: there is no bound, and nothing is pending
  std::uint64_t total = 0;   // of samples: how many this run draws; 0: no limit
  std::uint64_t failures = 0;
  std::uint64_t findings = 0;
  double seconds = 0;
};

} // namespace reex
