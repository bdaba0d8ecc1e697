// The memory of large tables that are looked up at random. With pages of 4 KiB, the way to an entry through
// the page tables takes longer than the entry itself: such a table is made of pages of 2 MiB, where the
// kernel can do so (Linux 6.1, and memory that is no file on a disk).
//
// Callers: Search, under its seen_lock. Freestanding, in shared memory.
//
// Errors: none. Where the kernel cannot do so, everything is only slower.
//
// Cost: of a new large page, as of writing 2 MiB for the first time; it need not be written in small pages
// then.
#pragma once

#include <cstddef>

namespace reex {

inline constexpr std::size_t k_large_page = std::size_t{2} << 20;

// The program that links the search defines these two: the runtime and the parent.

// madvise(2). False: the kernel did not do it.
bool advise(void* memory, std::size_t size, int advice);
// How many bytes the machine could still give to programs; 0: not known.
std::size_t available_memory();

// Memory that is zero and was not used yet, at the start of a large page, will be used as a whole.
void use_large_pages(void* memory, std::size_t size);
// Nobody uses the memory any more: it reads as zero, and takes no room.
void give_back(void* memory, std::size_t size);
// Whether a table may become as large as this: it takes no more than a quarter of what is available.
bool has_room_for(std::size_t size);

} // namespace reex
