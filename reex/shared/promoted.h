// Record "promoted": the instructions (return addresses) whose plain accesses are visible operations, because
// they took part in a data race. Workers that share a search share the first worker's record.
#pragma once

#include <cstdint>

namespace reex {

inline constexpr unsigned k_max_promoted = 1u << 14;
// An entry that is no instruction: from it on, malloc may give freed addresses again, as with --reuse.
inline constexpr std::uint64_t k_addresses_come_again = 1;
// Another one: from it on, threads may talk in libraries without hooks (runtime/order/dormant_code.h).
inline constexpr std::uint64_t k_code_is_entered = 2;
struct Promoted {
  std::uint32_t count = 0;
  std::uint32_t proposed = 0; // behind them: what the next round adds, where several workers share the search
  std::uint32_t rounds = 0;   // searches begun anew since the set grew
  std::uint64_t earlier = 0;  // schedules before the last of them, if one worker explores; else 0
  std::uint64_t pc[k_max_promoted];
};

// Those of the execution under way that took part in a race and are not visible yet.
inline constexpr unsigned k_max_unpromoted = 512;
struct Unpromoted {
  std::uint32_t count = 0;
  std::uint64_t pc[k_max_unpromoted];
};

} // namespace reex
