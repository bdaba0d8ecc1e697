// A detailed execution under a debugger (reex replay --gdb): the worker waits for it before the execution
// begins, and calls a function to break at where it fails.
#pragma once

namespace reex {

void wait_for_debugger();
void stop_for_debugger(); // on the fiber that fails, before its stack is left

} // namespace reex
