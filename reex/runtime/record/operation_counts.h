// How often each place in the code came to a visible operation, so that the report can say how much of a test
// is not instrumented. Only the first executions are counted.
#pragma once

#include <cstdint>

namespace reex {

extern bool g_counting_operations;

void begin_counting(); // as an execution begins
void count_operation(const void* pc);

} // namespace reex
