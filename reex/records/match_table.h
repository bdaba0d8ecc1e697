// The parent's side of the record "match table" (reex/shared/match_table.h), and the reader of the record
// "operation counts" (reex/shared/operation_counts.h).
#pragma once

#include <cstdint>
#include <vector>

#include "reex/shared/match_table.h"
#include "reex/shared/operation_counts.h"

namespace reex {

// The address that the worker asks for; 0: none.
std::uint64_t read_request(const PcTable& shared);

struct MatchAnswer {
  std::uint8_t user_bits = 0;
  std::uint8_t on_stack = 0;
  bool has_user_frame = false;
  std::uint8_t places = 0; // so many are known
  std::uint16_t in = 0;
  std::uint16_t from = 0;
};
// Enters what the address means. The caller wakes the worker.
void answer(PcTable& shared, std::uint64_t pc, const MatchAnswer& answer);

// Places that are in use.
std::vector<OperationCount> read_operation_counts(const OperationCounts& shared);

} // namespace reex
