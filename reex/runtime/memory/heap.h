// The malloc family of the runtime. All blocks come from one arena. Under control, each thread but main has a
// region of its own in it, from which its blocks come as long as there is room.
//
// Thread safety: none is needed. All fibers share one operating-system thread, and no switch happens inside
// these functions.
//
// Callers: the test, at any time; heap_extent, divide_heap, for_each_region and heap_trim, the controller;
// heap_block_of, for reports; address_kept, the running fiber.
//
// Invariants: the bookkeeping lies inside the arena. A snapshot copies the part of the arena that is in use,
// so a restore brings back the whole heap; a new worker has the heap of its zygote. Regions are empty then.
// In its region, a thread's blocks have the same addresses in every execution in which the thread does the
// same, whatever the others do. Memory that was never handed out is zero.
//
// Cost: allocation and release are O(1); heap_block_of walks the arena.
#pragma once

#include <cstddef>
#include <cstdint>

namespace reex {

struct HeapExtent {
  char* base;
  std::size_t used; // from base; nothing behind it was ever handed out
};
HeapExtent heap_extent();

// From now on, threads have regions, and the heap may grow by so many bytes. An allocation beyond that ends
// the execution. 0: no limit.
void divide_heap(std::size_t bytes);

// The parts of regions that are in use.
void for_each_region(void (*visit)(char* low, char* high, void* argument), void* argument);

struct HeapBlock {
  const void* start; // null: the address lies in no block
  std::size_t size;  // as the test asked for it; 0 if unknown
};
HeapBlock heap_block_of(const void* address);

// Whether a block starts at `expected` that was freed, and one of the same size class that is in use at
// `seen`: natively it may have been given the address of the freed one, which the same thread has freed, or
// another. Cost: O(1).
enum class KeptAddress : std::uint8_t { none, of_same_thread, of_another };
KeptAddress address_kept(std::uintptr_t expected, std::uintptr_t seen);

// To be called after a restore has brought back the arena's bookkeeping: clears the memory that the execution
// used beyond `snapshot`, and all regions.
void heap_trim(const HeapExtent& used_by_execution, const HeapExtent& snapshot);

} // namespace reex
