// What the parent and the test process agree on before the control block is mapped: its version, the
// environment variables that name descriptors, and a signal.
#pragma once

#include <cstdint>

namespace reex {

inline constexpr std::uint64_t k_control_magic = 0x726565780000001f; // "reex", layout 31
inline constexpr char k_control_variable[] = "REEX_CONTROL_FD";
inline constexpr char k_shared_variable[] = "REEX_SHARED_FD"; // the first worker's block, for the others
inline constexpr char k_table_variable[] =
    "REEX_TABLE_FD"; // the table of seen steps, if it is not in the block
inline constexpr char k_files_variable[] = "REEX_FILES_FD"; // the socket of the parent's file watch
inline constexpr char k_log_variable[] = "REEX_LOG_FD";
inline constexpr int k_where_signal = 64; // the parent asks a worker where it stands: Status::stuck_stack

} // namespace reex
