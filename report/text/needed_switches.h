// The switches of a reduced schedule, each with the operations next to it. They explain the failure.
#pragma once

#include <string>
#include <vector>

#include "reex/run/result.h"

namespace reex {

struct NeededSwitch {
  unsigned step = 0; // the trace step after the switch
  std::string kind;  // of the decision: "run", "wake", "option", "loop", "spurious", "reuse", "late"
  SwitchReason reason = SwitchReason::none;
  int thread = 0;                    // the thread that continues, or is woken, or gets a signal late
  int late = 0;                      // how many of its operations come before the signal
  const TraceStep* before = nullptr; // the last operation of the thread that ran before
  const TraceStep* left = nullptr;   // its next operation; null if it never ran again
  const TraceStep* next = nullptr;   // the next operation of the thread that continues
};

// The pointers of the result point into the failure's trace.
std::vector<NeededSwitch> needed_switches(const Failure& failure);

// "T1 preempted at q.h:31, before mutex lock mutex#1; T2 goes on with atomic load x at q.h:12".
std::string needed_switch_text(const NeededSwitch& one);

// Whether an operation next to the switch is on a changed line.
bool touches_change(const NeededSwitch& one);

} // namespace reex
