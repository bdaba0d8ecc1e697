// What of an execution a reader is shown, and in which order: its steps, its switches with their reasons, and
// counts of what is left out. A trace of thousands of steps becomes a page.
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
  std::string text;      // of a context switch: the reason; of a fold: what is left out
  int thread = 0;        // whose column it stands in
  bool decisive = false; // a preemption: the schedule's own doing
};

// `where` tells what threads were about to do when the execution ended. `all` folds nothing.
std::vector<TraceRow> trace_rows(const std::vector<TraceStep>& trace,
                                 const std::vector<ThreadPosition>& where, bool all);

// One more than the highest thread that the trace or the positions name.
std::size_t thread_count(const std::vector<TraceStep>& trace, const std::vector<ThreadPosition>& where);

// "queue.h:31", "" if the stack has no line of the user's.
std::string short_location(const std::vector<Frame>& stack);

// "mutex lock mutex#1".
std::string operation_text(const TraceStep& step);

// A frame anywhere on the stack lies on a line of the change.
bool touches_change(const std::vector<Frame>& stack);

} // namespace reex
