// Record "outcomes": the different outcomes of a test, their texts, and the choices that reach each with the
// fewest preemptions.
#pragma once

#include <cstdint>

#include "reex/shared/ending.h"
#include "reex/shared/limits.h"

namespace reex {

struct OutcomeRecord {
  std::uint64_t hash[2];
  std::uint64_t text_offset;
  std::uint64_t text_length;
  std::uint64_t count;
  std::uint64_t decisions_offset; // Choice records in Outcomes::text
  std::uint32_t decisions_count;
  std::uint32_t promoted; // accesses that were promoted when the choices were made: the first of Promoted::pc
  std::uint32_t preemptions;
  std::int32_t value;
  End end;
};

struct Outcomes {
  std::uint32_t count = 0;
  bool overflow = false;
  std::uint64_t text_used = 0;
  std::uint32_t index[2 * k_max_outcomes]; // open addressing; outcome + 1
  OutcomeRecord record[k_max_outcomes];
  char text[k_max_outcome_text];
};

} // namespace reex
