// Promoted instructions: plain accesses that took part in a data race, and that are visible operations from
// then on (semantics: "Races and rounds").
//
// Callers: stated at each function.
//
// Invariants: the set lies in the control block and only grows. g_promoted is a worker's copy: load_promoted
// fills it once, no restore changes it, and a new worker loads it again.
//
// Cost: about 1 ns for each plain access.
#pragma once

#include <cstdint>

#include "reex/shared/promoted.h"

namespace reex {

// A new worker copies the first `count` instructions of the set from the control block.
void load_promoted(std::uint32_t count);

// The running fiber: an access at this return address has raced in the execution under way.
void note_race(std::uint64_t pc);

// The running fiber: the entry joins the set at once, if this is the first execution of all. It is to be
// thrown away then. False: it is not the first.
bool promote_before_all(std::uint64_t pc);

// If several workers share a systematic search, rounds end as with one worker: the first execution in the
// order of exploration that has found a race decides what the next round adds. The controller (or the zygote)
// calls this when an execution has ended, before its commit, under the search's lock.
void propose_round();
// The controller: no schedule is left that comes before that execution. Begins the next round.
void begin_round();

// The zygote, when the parent has received the report: the report is no longer due. The racing accesses of
// its findings join the set, unless workers propose rounds. If the set has grown, a systematic search begins
// a new round.
void promote_races();

// The zygote, when the set has grown: the self-check executes the first schedule twice once more.
void begin_check_anew();

inline constexpr unsigned k_promoted_table = 2 * k_max_promoted;
extern bool g_some_promoted;
extern bool g_addresses_come_again; // whether a thread gets what it has freed again is a choice
extern bool g_code_is_entered;      // libraries without hooks are as if somebody were in them
extern std::uint64_t g_promoted[k_promoted_table]; // hash table; 0: free

inline unsigned promoted_place(std::uint64_t pc) {
  return static_cast<unsigned>(pc * 0x9e3779b97f4a7c15 >> 49) % k_promoted_table;
}

inline bool is_promoted(const void* return_address) {
  if (!g_some_promoted) return false;
  const auto pc = reinterpret_cast<std::uint64_t>(return_address);
  for (unsigned i = promoted_place(pc);; i = (i + 1) % k_promoted_table) {
    if (g_promoted[i] == pc) return true;
    if (g_promoted[i] == 0) return false;
  }
}

} // namespace reex
