// Reads the record "findings" (reex/shared/findings.h).
#pragma once

#include <cstdint>
#include <vector>

#include "reex/shared/findings.h"

namespace reex {

struct FindingCounts {
  std::uint32_t count = 0;
  std::uint32_t handed = 0;
  bool overflow = false;
  bool blind = false;
  std::uint64_t unchecked = 0;
};
FindingCounts read_finding_counts(const Findings& shared);

// Those that have not been handed over yet.
std::vector<FindingRecord> read_new_findings(const Findings& shared);
// Races that no unseen code has ordered.
std::vector<FindingRecord> read_certain_races(const Findings& shared);
// Those that the last detailed execution showed.
std::vector<FindingRecord> read_shown_findings(const Findings& shared);

} // namespace reex
