// Memory that the test has mapped MAP_SHARED before its first thread. Neither a restore of private memory nor
// a fork undoes what an execution writes there.
//
// Callers: save_shared_memory, the zygote; restore_shared_memory, a worker's controller. The hooks of mmap,
// munmap and mremap note mappings only before the first thread.
//
// Invariants: the zygote saves an image once. Every worker, and every restored execution, starts with the
// contents of this image. The variables do not change in workers.
//
// Cost: a copy of all this memory for each execution.
#pragma once

#include <cstddef>

namespace reex {

inline constexpr std::size_t k_most_shared = std::size_t{256} << 20;

// The zygote, before it forks workers. False: there is more than k_most_shared, or no memory for the image.
bool save_shared_memory();
// A worker, when it starts and before each further execution.
void restore_shared_memory();
std::size_t shared_memory_size(); // bytes that a restore copies

} // namespace reex
