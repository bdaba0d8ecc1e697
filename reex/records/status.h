// Reads the record "status" (reex/shared/status.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "reex/shared/status.h"

namespace reex {

struct StatusCopy {
  std::uint64_t schedules = 0;
  std::uint64_t pruned = 0;
  std::uint64_t followed = 0;
  std::uint64_t audited = 0;
  std::uint64_t points = 0;
  std::uint64_t step_limited = 0;
  std::uint64_t livelocked = 0;
  std::uint64_t loops_cut = 0;
  std::uint64_t hung = 0;
  std::uint64_t memory_limited = 0;
  std::uint64_t restarted = 0;
  std::uint32_t distinct_failures = 0;
  std::uint32_t max_threads = 0;
  Finish finish = Finish::none;
  IsolationMode isolation = IsolationMode::automatic;
  std::vector<std::uint64_t> stuck_stack;
  std::uint32_t stuck_thread = 0;
  std::int64_t irreversible_call = -1;
  std::vector<std::uint64_t> irreversible_stack;
  bool refused = false;
  bool ready = false;
  bool forked = false;
  std::string refusal; // one line
  std::string reason;  // one line
};

StatusCopy read_status(const Status& shared);

// Parts of it, at any time.
struct StatusCounts {
  std::uint64_t schedules = 0;
  std::uint64_t pruned = 0;
  std::uint64_t followed = 0;
  std::uint64_t points = 0;
  std::uint32_t distinct_failures = 0;
};
StatusCounts read_counts(const Status& shared);
Finish read_finish(const Status& shared);
bool read_ready(const Status& shared);
bool read_stuck(const Status& shared); // whether it says where an execution without an end stood
bool read_unseen_code(const Status& shared);
// Somebody has entered this library without hooks.
bool read_entered(const Status& shared, std::size_t dormant);

} // namespace reex
