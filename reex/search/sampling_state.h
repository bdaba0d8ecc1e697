// What the strategies that sample store in shared memory: about the execution under way, and about the
// program. All zero is the initial state.
#pragma once

#include <cstdint>

#include "reex/search/profile.h"

namespace reex {

inline constexpr unsigned k_max_depth = 64; // of PCT

// For PCT. `longest` is over all executions; the rest is about one execution.
struct PctState {
  std::uint64_t change_point[k_max_depth];
  std::uint64_t steps;   // choices of a thread so far
  std::uint64_t longest; // most such choices in any execution
  std::int64_t lowest;   // priority of the last thread that gave way
  std::uint32_t streak;  // successive choices of the same thread
  std::uint16_t last;    // this thread
};

// For URW and SURW, about one execution.
// `left`, `blocked` and `priority` belong to live threads, so they go by slot (Event::thread).
struct WalkState {
  std::uint64_t total[k_sampled_threads];  // by number: expected events of a thread and all its descendants
  std::uint64_t left[k_sampled_threads];   // events of these that are still to come
  std::uint16_t number[k_sampled_threads]; // by slot: in the profile
  std::uint32_t created;                   // threads so far
  std::uint64_t object;                    // the object whose events are interesting; 0: none
  std::uint32_t intended;                  // slot of the intended thread + 1; 0: none
  std::uint32_t held;                      // choices since all threads were unblocked
  bool blocked[k_sampled_threads];
};

struct SamplingState {
  std::uint64_t executions; // number of the last execution begun
  std::uint64_t random;     // state of the random numbers in the execution under way
  std::int64_t priority[k_sampled_threads];
  std::uint32_t waited[k_sampled_threads]; // choices that passed the thread over since it drew its priority
  bool is_patient;                         // the sample under way (sampling.h)
  std::uint32_t polls;                     // if so: number of the thread that goes on polling, + 1; 0: none
  PctState pct;
  WalkState walk;
  Profile profile;
  // Not 0: samples are drawn from what was learned before, in this round (from 1), and teach nothing. Under
  // strategy auto the first sample of surw has taught it; or else a profile was given (explorer/profile.h).
  std::uint32_t taught_round;
  std::uint32_t counted_round; // of a strategy that only samples: the round of what it has counted, from 0
};

} // namespace reex
