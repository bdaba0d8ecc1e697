// The malloc family, the runtime's own: one arena that a snapshot copies as far as it is in use, with its
// bookkeeping inside, so that a restore brings back the heap as a whole. Blocks get the same addresses in
// every execution, whichever thread asks; memory never handed out reads as zero.
#pragma once

#include <cstddef>

namespace reex {

struct HeapExtent {
  char* base;
  std::size_t used; // from base; beyond it nothing was ever handed out
};
HeapExtent heap_extent();

// From now on the heap may grow by so many bytes; what asks for more ends its execution. 0: no limit.
void limit_heap(std::size_t bytes);

struct HeapBlock {
  const void* start; // null: the address lies in no block
  std::size_t size;  // as asked for, 0 if unknown
};
// Walks the arena: for reports.
HeapBlock heap_block_of(const void* address);

// After the arena's bookkeeping was restored to `snapshot`: clears what the execution used beyond it.
void heap_trim(const HeapExtent& used_by_execution, const HeapExtent& snapshot);

} // namespace reex
