// What /proc/self/maps says.
#pragma once

namespace reex {

struct MappedRange {
  char* low;
  char* high;
  bool writable;
  bool shared;
};

// Calls `visit(range, argument)` for every mapping, in ascending order. Allocates nothing; not reentrant.
void for_each_mapping(void (*visit)(const MappedRange& range, void* argument), void* argument);

} // namespace reex
