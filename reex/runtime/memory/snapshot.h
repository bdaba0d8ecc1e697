// The snapshot of the test's memory as it was at the creation of the first thread, and its restore between
// executions.
//
// Callers: a worker that restores, on the controller's stack.
//
// Invariants: the snapshot has every writable private mapping, the live part of the main stack, and the used
// part of the heap. It does not have the stacks and thread-local storage of fibers, shared mappings, and the
// runtime's own data. A worker takes its snapshot once, before its first execution; a new worker takes a new
// one. After a restore, all this memory is what it was (restored_memory.h).
//
// Cost: a copy of what was written, if the kernel tells what that is; otherwise of everything. About 1 us for
// 100 KB.
#pragma once

#include <cstddef>
#include <cstdint>

namespace reex {

// A hash of the memory that a snapshot has, as it is now, without main's stack: two that are equal tell that
// nothing has changed.
// Called on a fiber. Cost: about 1 us for 8 KB. 0: there is too much memory.
std::uint64_t memory_sum();

// `stack_pointer` is that of the suspended main fiber. `copied_besides`: bytes that are restored elsewhere.
// False: there is too much memory.
bool take_snapshot(const char* stack_pointer, std::size_t copied_besides);
void restore_snapshot();

} // namespace reex
