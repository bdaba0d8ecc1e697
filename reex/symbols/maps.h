// The modules (the executable and its shared libraries) that are mapped into a process.
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
  std::uint64_t end = 0;   // the address behind its highest one
  std::uint64_t file_offset = 0;
  bool writable = false;
};

// The executable mappings of files in a text of /proc/PID/maps. Other lines are ignored.
std::vector<MappedModule> parse_maps(std::string_view text);
// The same for a process; empty if its maps cannot be read.
std::vector<MappedModule> read_maps(pid_t pid);

} // namespace reex
