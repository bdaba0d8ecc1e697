// Record "report": an execution that is handed to the parent, because it failed in a new way (`failed`), or
// made findings (Findings::handed to Findings::count), or both.
//
// Protocol: the zygote sets `state` to 1 and waits. The parent reads the report, the trace, the saved choices
// and the findings, sets `state` to 0 and wakes the zygote.
#pragma once

#include <atomic>
#include <cstdint>

#include "reex/search/search.h"
#include "reex/shared/ending.h"

namespace reex {

struct FailureSlot {
  std::atomic<std::uint32_t> state; // futex: 0 free, 1 to be read
  bool due = false;                 // `saved` waits for its detailed execution, or for being handed over
  bool failed = false;
  bool repeated = false; // the detailed execution ended in the same way
  Ending ending;         // of the execution that failed first
  Ending replayed;       // of its detailed execution: the same, or the test is not deterministic
  std::uint64_t schedule = 0;
  std::uint32_t promoted = 0; // accesses that were promoted when it was executed: the first of Promoted::pc
  SchedulePosition position = {};
  std::uint32_t serial = 0;                                             // of the report
  std::uint32_t index = 0;                                              // into the known failures
  std::uint64_t output_offset = 0, output_length = 0, error_length = 0; // in Outcomes::text
};

} // namespace reex
