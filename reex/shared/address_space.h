// How many addresses a test process needs beside its own. Their pages are filled when they are used.
#pragma once

#include <cstddef>

#include "reex/shared/control.h"

namespace reex {

inline constexpr std::size_t k_arena_size = std::size_t{64} << 30;       // of the heap
inline constexpr std::size_t k_mapped_addresses = std::size_t{16} << 30; // of what threads map
// Of the records of accesses, in each worker. Without them, data races are not looked for.
inline constexpr std::size_t k_record_addresses = std::size_t{1} << 43;
// The control block, the heap, and a gigabyte for the test and the libraries.
inline constexpr std::size_t k_least_addresses = sizeof(ControlBlock) + k_arena_size + (std::size_t{1} << 30);

} // namespace reex
