// What the memory that is shared has room for.
#pragma once

#include <cstdint>

namespace reex {

inline constexpr unsigned k_max_threads = 1024;  // alive at once, or ended and not yet joined, with main
inline constexpr unsigned k_max_created = 30000; // in one execution; their numbers lie below those of objects
inline constexpr unsigned k_max_outcomes = 1u << 20;
inline constexpr std::uint64_t k_max_outcome_text = std::uint64_t{1} << 32;
inline constexpr unsigned k_max_trace_steps = 1u << 20;
inline constexpr unsigned k_max_trace_pcs = 1u << 24;
inline constexpr unsigned k_max_stack = 48; // frames kept of one stack
inline constexpr unsigned k_pc_table_size = 1u << 16;
inline constexpr unsigned k_known_failures = 4096;
inline constexpr unsigned k_operation_places = 1u << 14;
inline constexpr unsigned k_counted_executions = 1000;
inline constexpr unsigned k_unexplored_places = 1024;
inline constexpr unsigned k_known_code = 64;
inline constexpr unsigned k_dormant_code = 64; // executable mappings
inline constexpr unsigned k_seen_files = 256;
inline constexpr unsigned k_changed_file = 256; // bytes of a name, with the zero behind it

} // namespace reex
