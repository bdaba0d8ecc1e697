// Handlers, on a stack of their own, for signals that end an execution.
#pragma once

namespace reex {

void catch_signals(); // once in a worker

// Records where the running thread is, for the first execution that is inconclusive.
void note_stuck();

} // namespace reex
