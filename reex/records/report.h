// Reads the record "report" (reex/shared/report.h), with what the reported execution printed.
#pragma once

#include <cstdint>
#include <string>

#include "reex/records/ending.h"
#include "reex/shared/outcomes.h"
#include "reex/shared/report.h"

namespace reex {

struct ReportCopy {
  bool failed = false;
  // It was executed again in detail: there are a trace, stacks and an output. Without that, `replayed` says
  // nothing either.
  bool detailed = true;
  bool repeated = false;
  EndingCopy ending;
  EndingCopy replayed;
  std::uint64_t schedule = 0;
  std::uint32_t promoted = 0;
  SchedulePosition position = {};
  std::uint32_t serial = 0;
  std::uint32_t index = 0;
  std::string standard_output;
  std::string standard_error;
};

// Whether an execution waits for its detailed execution, or for being handed over.
bool read_report_due(const FailureSlot& shared);
// Whether the zygote waits for the parent to read its report.
bool read_report_state(const FailureSlot& shared);

// `descriptor` is that of the file which the block maps; it starts at `block`.
ReportCopy read_report(const FailureSlot& shared, const Outcomes& outcomes, const void* block,
                       int descriptor);

} // namespace reex
