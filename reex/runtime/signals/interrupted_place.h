// What a handler with SA_SIGINFO is told about the place that its signal has interrupted. Samplers of stacks
// and watchdogs read it.
//
// Callers: the thread that runs the handler, inside the runtime.
//
// Cost: that of walk_stack (record/trace.h), up to the first frame of the test.
#pragma once

#include <ucontext.h>

namespace reex {

// The registers of the test's function that has called the runtime, as far as they are kept across calls, as
// they are after that call. The other ones are 0.
void describe_interrupted_place(ucontext_t& context);

} // namespace reex
