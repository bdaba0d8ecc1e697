// The test's memory as it was before the first thread, and its way back between executions: every writable
// private mapping, the live part of the main stack, the heap as far as it was used. Not in it: fiber stacks
// and their thread-local storage, shared mappings, and the runtime's own data. Short ranges are copied back
// as a whole, about 1 us for 60 KB; of long ones what was written, where the kernel tells (dirty_pages.h).
#pragma once

#include <cstddef>

namespace reex {

// On the controller's stack, in a worker. `stack_pointer` is that of the suspended main fiber;
// `copied_besides` bytes are restored elsewhere. False: there is too much.
bool take_snapshot(const char* stack_pointer, std::size_t copied_besides);
void restore_snapshot();

} // namespace reex
