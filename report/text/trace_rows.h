// Selects what a report shows of an execution: steps, switches with their reasons, and counts of the steps
// that it leaves out. So a trace of thousands of steps becomes a page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "reex/run/result.h"

namespace reex {

struct TraceRow {
  enum class Kind : std::uint8_t { step, context_switch, fold };
  Kind kind = Kind::step;
  std::size_t index = 0; // of the step in the trace, for step and context_switch
  std::string text;      // for a context switch, its reason; for a fold, what is left out
  int thread = 0;        // the thread in whose column the row is
  bool decisive = false; // it is a preemption
};

// `where` says what the threads were about to do when the execution ended. With `all`, nothing is left out.
std::vector<TraceRow> trace_rows(const std::vector<TraceStep>& trace,
                                 const std::vector<ThreadPosition>& where, bool all);

// One more than the highest thread that the trace or the positions name.
std::size_t thread_count(const std::vector<TraceStep>& trace, const std::vector<ThreadPosition>& where);

// "31 steps"; "4,000,000 steps, the first 1,048,576 of them recorded".
std::string steps_text(const Schedule& how);
// "... 2,951,424 steps that were not recorded ..."; "" if all were.
std::string unrecorded_text(const Schedule& how);

// "queue.h:31"; "" if the stack has no line of user code.
std::string short_location(const std::vector<Frame>& stack);

// "mutex lock mutex#1".
std::string operation_text(const TraceStep& step);

// The same, and of a notification how many threads it woke: "condition notify all condition#1 (nobody
// waits)".
std::string step_text(const TraceStep& step);

// Whether any frame of the stack is on an impacted line of the change.
bool touches_change(const std::vector<Frame>& stack);

} // namespace reex
