// The test's memory as it was before the first thread, and its way back between executions: every writable
// private mapping, the live part of the main stack, the heap as far as it was used, thread-local storage. Not
// in it: fiber stacks, shared mappings, and the runtime's own data. Cost: a copy of all of it, about 1 us for
// 60 KB.
#pragma once

#include <cstddef>

namespace reex {

// On the controller's stack, in a worker. `stack_pointer` is that of the suspended main fiber. Returns the
// number of bytes, or 0 if there are more than `most`.
std::size_t take_snapshot(const char* stack_pointer, std::size_t most);
void restore_snapshot();

} // namespace reex
