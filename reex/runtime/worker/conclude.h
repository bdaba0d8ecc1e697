// What is done after an execution.
//
// Callers: the worker's controller; the zygote, if the worker died.
//
// Thread safety: conclude and conclude_pruned take the search's lock for what workers share.
//
// Invariants: each function takes effect as a whole, or not at all if the process is killed (undo_log.h). The
// execution's ending is in the control block.
//
// Cost: a hash of the output if outcomes are collected; otherwise O(new alternatives).
#pragma once

namespace reex {

enum class Next : unsigned char {
  go_on,  // continue with the next schedule
  report, // a new failure or finding: a detailed execution is due
};

// Counts the execution, stores its outcome, and lets the search learn from it.
Next conclude();

// The same for an execution that was cut short, because an equivalent one was explored.
Next conclude_pruned();

} // namespace reex
