// Random numbers that the test asks the system for: the same in every execution.
#pragma once

namespace reex {

void remember_random(); // the zygote: executions begin with what comes next
void rewind_random();   // the controller, before an execution

} // namespace reex
