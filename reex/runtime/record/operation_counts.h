// Counts the visible operations at each place in the code, so that the report can say how much of a test is
// not instrumented. Only the first executions are counted. begin_counting sets the variable before each
// execution.
#pragma once

#include <cstdint>

namespace reex {

extern bool g_counting_operations;

void begin_counting(); // the controller, before an execution
void count_operation(const void* pc);

} // namespace reex
