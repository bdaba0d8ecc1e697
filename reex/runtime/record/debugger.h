// A detailed execution under a debugger (reex replay --gdb). The worker waits for the debugger before the
// execution begins. Where the execution fails, it calls a function that has a breakpoint.
#pragma once

namespace reex {

void wait_for_debugger();
void stop_for_debugger(); // on the failing fiber, before its stack is left

} // namespace reex
