// Reads the records that tell a schedule: "plan" and "saved" (reex/shared/decisions.h), "guide"
// (reex/shared/guide.h), "promoted" (reex/shared/promoted.h), "known failures"
// (reex/shared/known_failures.h).
#pragma once

#include <cstdint>
#include <vector>

#include "reex/shared/decisions.h"
#include "reex/shared/guide.h"
#include "reex/shared/known_failures.h"
#include "reex/shared/promoted.h"

namespace reex {

struct DecisionsCopy {
  std::vector<Choice> list;
  std::uint32_t preemptions = 0;
};
DecisionsCopy read_decisions(const Decisions& shared);

// `first` has room for k_max_decisions. Elsewhere the caller has checked that `count` choices lie in memory.
std::vector<Choice> read_choices(const Choice* first, std::uint32_t count);

// The turns that the last detailed execution took.
std::vector<Turn> read_turns(const Guide& shared);

struct PromotedCopy {
  std::vector<std::uint64_t> pcs;
  std::uint32_t rounds = 0;
  std::uint64_t earlier = 0;
};
PromotedCopy read_promoted(const Promoted& shared);
// The first `count`, which were visible when an execution ran.
std::vector<std::uint64_t> read_promoted(const Promoted& shared, std::uint32_t count);
// Adds one, unless it is there or the room is full. Before the test has its first thread.
void add_promoted(Promoted& shared, std::uint64_t pc);

// Executions that failed as known failure `index`.
std::uint64_t read_failure_count(const KnownFailure (&shared)[k_known_failures], std::uint32_t index);

} // namespace reex
