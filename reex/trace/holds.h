// Who has a lock, by the trace of a detailed execution: the steps that take locks, and give them back.
//
// Callers: the parent process. Cost: linear in the steps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reex/records/trace.h"
#include "reex/shared/operation.h"

namespace reex {

// A thread that has what another one waits for, and the step by which it got it; null if that is not known.
struct Hold {
  std::uint32_t thread;
  const TraceStep32* step;
};

bool acquires(Operation operation);
bool releases(Operation operation);

// Who has what the thread at the position waits for. Only the trace knows a lock's readers.
std::vector<Hold> holds_of(const TraceCopy& trace, const TracePosition& position);

// The return addresses of a step, a position or an event of a block, which the reader has held to lie there.
template <typename Record>
std::span<const std::uint64_t> pcs_of(const TraceCopy& trace, const Record& record) {
  if (record.depth == 0) return {};
  return std::span(trace.pcs).subspan(record.first_pc, record.depth);
}

} // namespace reex
