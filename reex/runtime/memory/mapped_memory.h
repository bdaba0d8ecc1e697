// Private anonymous memory that the test maps under control (mmap): allocators of libraries do so. It comes
// from a range of addresses that is reserved for it, so that a restore can drop it as a whole, and so that a
// thread's mappings have the same addresses in every execution in which the thread does the same.
//
// Thread safety: none is needed, as for the heap (heap.h).
//
// Callers: reserve_mappings, the zygote; map_under_control and unmap_under_control, the hooks of mmap and
// munmap; drop_mappings, the controller.
//
// Invariants: the addresses are reserved before the first snapshot and belong to nobody else; what is mapped
// there was mapped in this execution. Addresses are not handed out twice in one execution.
//
// Cost: as of the system calls; of a restore, one for each thread that has mapped memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace reex {

void reserve_mappings();

// The upper halves of the reserved addresses, for the system call filter. Empty, if there was no room.
struct UpperHalves {
  std::uint32_t first;
  std::uint32_t count;
};
UpperHalves reserved_mappings();

// Null: the mapping is of another kind, or there is no room; then the system decides.
void* map_under_control(void* wanted, std::size_t size, int protection, int flags);
// False: the range lies elsewhere. Later accesses to it fault.
bool unmap_under_control(const void* address, std::size_t size);

// Whether the execution has mapped memory, here or elsewhere.
bool has_mapped_memory();

// Everything that the execution has mapped is gone.
void drop_mappings();

} // namespace reex
