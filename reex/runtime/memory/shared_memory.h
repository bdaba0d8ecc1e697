// Memory that the test has mapped MAP_SHARED before its first thread: neither a restore of private memory nor
// a fork takes back what an execution writes there. Its image is kept in the zygote; every worker starts from
// it, and every restored execution.
#pragma once

#include <cstddef>

namespace reex {

inline constexpr std::size_t k_most_shared = std::size_t{256} << 20;

// The zygote, before it forks workers. False: there is more than k_most_shared.
bool save_shared_memory();
// A worker, at its start and between executions.
void restore_shared_memory();
std::size_t shared_memory_size(); // that a restore copies

} // namespace reex
