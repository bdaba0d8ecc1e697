// Record "match table": what each return address means to the heuristics. The worker asks for an address and
// waits; the parent enters the answer. An entry is changed only if it is asked for again, because the test
// has declared more places.
#pragma once

#include <atomic>
#include <cstdint>

#include "heuristics/match_bits.h"
#include "reex/shared/limits.h"

namespace reex {

// Of the innermost user frame at the address: its low four MatchBits, whether there is a user frame at all,
// and what the address adds to the on-stack bits. And which places of events (reex/shared/imunit.h) are in
// the function of that frame, or called from one of the frames: a bit for each place.
struct PcBits {
  std::atomic<std::uint64_t> pc; // 0: free
  std::uint8_t user_bits;
  std::uint8_t on_stack;
  bool has_user_frame;
  std::atomic<std::uint8_t> places; // the answer knows the first so many
  std::uint16_t in;
  std::uint16_t from;
};

struct PcTable {
  std::atomic<std::uint64_t> request;  // an address that the worker waits for; 0: none
  std::atomic<std::uint32_t> answered; // futex: rises with each answer
  PcBits entry[k_pc_table_size];       // open addressing
};

} // namespace reex
