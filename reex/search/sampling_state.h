// What the strategies that sample are told of a program, and what they remember. All of it may lie in shared
// memory; zero is the initial state.
#pragma once

#include <cstdint>

namespace reex {

// What a thread is about to do, or has just begun to do.
struct Event {
  std::uint64_t object; // identity of what it works on, 0: nothing
  std::uint16_t thread;
  std::uint8_t bits; // match bits (heuristics/match_bits.h), 0 without a change
  bool writes;       // may change the object, or what others may do with it
  bool gives_way;    // it is a yield or a sleep
};

struct SamplingState {
  std::uint64_t executions; // begun
  std::uint64_t random;     // of the execution under way
};

} // namespace reex
