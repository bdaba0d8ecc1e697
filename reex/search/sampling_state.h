// What the strategies that sample are told of a program, and what they remember. It lies in shared memory;
// all of it zero is the initial state.
#pragma once

#include <cstdint>

#include "reex/search/profile.h"

namespace reex {

inline constexpr unsigned k_max_depth = 64; // of PCT

// Of PCT, in one execution and over all.
struct PctState {
  std::uint64_t change_point[k_max_depth];
  std::uint64_t steps;   // choices of a thread so far
  std::uint64_t longest; // most such choices of any execution
  std::int64_t lowest;   // priority given to the last thread that gave way
  std::uint32_t streak;  // choices in a row that fell on the same thread
  std::uint16_t last;    // that thread
};

// Of URW and SURW, in one execution.
struct WalkState {
  std::uint64_t total[k_sampled_threads]; // events expected of a thread and all that descend from it
  std::uint64_t left[k_sampled_threads];  // of these, not executed yet
  std::uint64_t object;                   // whose events are interesting; 0: none
  std::uint32_t intended;                 // thread + 1, 0: none
  std::uint32_t held;                     // choices since a thread was blocked
  bool blocked[k_sampled_threads];
};

struct SamplingState {
  std::uint64_t executions; // begun
  std::uint64_t random;     // of the execution under way
  std::int64_t priority[k_sampled_threads];
  std::uint32_t waited[k_sampled_threads]; // choices that passed the thread over since its priority was drawn
  PctState pct;
  WalkState walk;
  Profile profile;
};

} // namespace reex
