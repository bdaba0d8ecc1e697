// The modules (executable and shared libraries) mapped into a traced process.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace reex {

struct MappedModule {
  std::string path;        // of the file
  std::uint64_t start = 0; // lowest address of the mapping
  std::uint64_t end = 0;   // one past its highest
  std::uint64_t file_offset = 0;
};

// The file-backed executable mappings of a /proc/PID/maps text; lines that are none are skipped.
std::vector<MappedModule> parse_maps(std::string_view text);
// The same for a live process; empty if it cannot be read.
std::vector<MappedModule> read_maps(pid_t pid);

} // namespace reex
