// Reads /proc/self/maps. g_text in memory_map.cpp is scratch space.
#pragma once

#include <cstdint>

namespace reex {

struct MappedRange {
  char* low;
  char* high;
  int access; // PROT_*
  bool writable;
  bool shared;
  std::uint64_t offset; // in what is mapped, which these two name
  std::uint64_t device;
  std::uint64_t inode;
};

// Calls `visit(range, argument)` for every mapping, in ascending order. Does not allocate; not reentrant.
void for_each_mapping(void (*visit)(const MappedRange& range, void* argument), void* argument);

} // namespace reex
