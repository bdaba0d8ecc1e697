// Signals that end an execution are caught on a stack of their own.
#pragma once

namespace reex {

void catch_signals(); // in a worker, once

// Writes down where the running thread stands, for the first execution that is cut short.
void note_stuck();

} // namespace reex
