// The switches of a reduced schedule, each with the operations next to it: what the failure is about.
#pragma once

#include <string>
#include <vector>

#include "reex/run/result.h"

namespace reex {

struct NeededSwitch {
  unsigned step = 0; // of the trace, that it stands before
  std::string kind;  // of the decision: "run", "wake", "option"
  SwitchReason reason = SwitchReason::none;
  int thread = 0;                    // goes on, or is woken
  const TraceStep* before = nullptr; // the last operation of the thread that was left
  const TraceStep* left = nullptr;   // what it was about to do; null if it never ran again
  const TraceStep* next = nullptr;   // of the thread that goes on
};

// Points into the failure's trace.
std::vector<NeededSwitch> needed_switches(const Failure& failure);

// "T1 preempted at q.h:31, before mutex lock mutex#1; T2 goes on with atomic load x at q.h:12".
std::string needed_switch_text(const NeededSwitch& one);

// An operation next to it lies on a changed line.
bool touches_change(const NeededSwitch& one);

} // namespace reex
