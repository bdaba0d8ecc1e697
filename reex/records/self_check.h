// Reads the record "self-check" (reex/shared/self_check.h).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reex/shared/self_check.h"

namespace reex {

struct VisitCopy {
  std::uint16_t thread = 0;
  Operation operation = Operation::none;
  std::vector<std::uint64_t> stack;
};

struct SelfCheckCopy {
  bool restore_at_fault = false;
  bool ended_early = false;
  std::uint32_t step = 0;
  std::optional<VisitCopy> first; // what the first execution did at `step`; none: it had ended
  VisitCopy other;                // what the second did there
  CheckedEnd end[2];
};

SelfCheckCopy read_self_check(const SelfCheck& shared);
// How long the first execution was, if it came to its end; 0: it did not, or is not known.
std::uint64_t read_length(const SelfCheck& shared);
bool read_restore_at_fault(const SelfCheck& shared);
bool read_prints_other(const SelfCheck& shared);

} // namespace reex
