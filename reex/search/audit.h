// The audit of the reduction. The reduction relies on the observer: it must have seen everything by which
// threads influence each other. The audit tries this out on the test at hand. Some of what the reduction has
// left out is executed all the same (docs/semantics.md, "Audit"):
//
// 1. Of the alternatives that are left out, and the executions that are cut short, the first k_first_audits
//    are drawn, and one in SearchConfig::audit of the others; of alternatives that are apart (apart.h), one
//    in its square. Of the second k_audited_in_full it is half as many, of the third a third: so the audit
//    grows with the logarithm of what is left out, which may be a thousand times what is executed. Beside
//    that, the draw depends on the execution alone, not on the order in which workers come to it. What is
//    drawn joins a row of buckets of its own.
// 2. When no schedule with as few preemptions is left, it is executed. Behind its plan it takes rank 0 at
//    every choice, looks nothing up and leaves no alternatives.
// 3. By claim 2 of the reduction, an execution at no greater cost has ended in the same state with the same
//    outcome. The table of seen steps has an entry for each end, so this is known at once. If there is none,
//    the reduction is refuted for this test.
//
// An execution without a result (inconclusive; or its worker died, and the state with it) hides ends from the
// table, and so do another shard, and a process in which the same objects have other addresses. Then an end
// that is not in the table proves nothing. A state that is there with another outcome still does.
//
// Callers: Search. Freestanding, in shared memory.
//
// Cost: three entries for each different end; an execution for each schedule drawn.
#pragma once

#include <cstdint>

#include "reex/search/seen.h"

namespace reex {

inline constexpr std::uint64_t k_first_audits = 32;
inline constexpr std::uint64_t k_audited_in_full = 1u << 16;

struct AuditState {
  std::uint64_t left_out = 0; // by the reduction, in this round
  std::uint64_t waiting = 0;  // drawn, and not executed yet
  std::uint64_t layout = 0;   // ExecutionResult::layout of the first result; 0: none yet
  bool blind = false;         // in this round an execution had no result, or one with another layout
  bool refuted = false;       // the reduction does not hold for this test: no round reduces any more
};

// How an execution ended.
struct ExecutionResult {
  StateKey state;   // the last state; a == 0: the execution has no result
  StateKey outcome; // what was printed, and the kind of ending
  // A thread was put back because it spins. Equivalent executions may differ in the number of its turns, and
  // so in the last state: if this one is audited, only its outcome is compared.
  bool spun = false;
  // Tells processes apart in which the same state has other addresses, and so another key.
  std::uint64_t layout = 1;
};

} // namespace reex
