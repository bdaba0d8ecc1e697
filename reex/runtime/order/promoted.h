// Promoted instructions: plain accesses that took part in a data race and are visible operations from then on
// (semantics: "Races and rounds").
#pragma once

#include <cstdint>

#include "reex/shared/control.h"

namespace reex {

// A fresh worker takes the first of the set over from the control block.
void load_promoted(std::uint32_t count);

// An access at this return address has raced in the execution under way.
void note_race(std::uint64_t pc);

// Where several workers share a systematic search, rounds end as they would with one: the first execution in
// the order of exploration that has found a race decides what the next round adds. An execution has ended,
// before its commit, under the search's lock.
void propose_round();
// Nothing is left that comes before that execution.
void begin_round();

// The zygote, when the parent has got the report: it is due no longer, and the accesses of its findings join
// the set, unless rounds are proposed. Where that makes a difference to a systematic search, it begins anew.
void promote_races();

// The zygote, where the set has grown: the first schedule is to be executed twice once more.
void begin_check_anew();

inline constexpr unsigned k_promoted_table = 2 * k_max_promoted;
extern bool g_some_promoted;
extern std::uint64_t g_promoted[k_promoted_table]; // by hash, 0: free

inline unsigned promoted_place(std::uint64_t pc) {
  return static_cast<unsigned>(pc * 0x9e3779b97f4a7c15 >> 49) % k_promoted_table;
}

// `pc` is a return address. About 1 ns.
inline bool is_promoted(const void* return_address) {
  if (!g_some_promoted) return false;
  const auto pc = reinterpret_cast<std::uint64_t>(return_address);
  for (unsigned i = promoted_place(pc);; i = (i + 1) % k_promoted_table) {
    if (g_promoted[i] == pc) return true;
    if (g_promoted[i] == 0) return false;
  }
}

} // namespace reex
