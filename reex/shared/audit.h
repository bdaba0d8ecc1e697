// Record "audit": where the audited execution that a worker made last left the schedules that were executed
// before it, and whether it has refuted the reduction (search/audit.h).
#pragma once

#include <cstdint>

#include "reex/shared/operation.h"

namespace reex {

struct AuditRecord {
  bool refuted = false;                  // from then on, the rest of the record stays as it is
  Operation operation = Operation::none; // the first one beyond its plan's last choice
  std::uint16_t thread = 0;
  std::uint32_t step = 0;
  std::uint64_t pc = 0; // return address; 0: not known
};

} // namespace reex
