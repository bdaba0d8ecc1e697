// Reads /proc/self/maps. g_text in memory_map.cpp is scratch space.
#pragma once

namespace reex {

struct MappedRange {
  char* low;
  char* high;
  bool writable;
  bool shared;
};

// Calls `visit(range, argument)` for every mapping, in ascending order. Does not allocate; not reentrant.
void for_each_mapping(void (*visit)(const MappedRange& range, void* argument), void* argument);

} // namespace reex
