// Signals that end an execution are caught on a stack of their own.
#pragma once

namespace reex {

void catch_signals(); // in a worker, once

} // namespace reex
