// Memory that the test shares with the processes that it forks. memory/shared_memory.cpp defines the
// functions.
//
// Callers: a fiber, and a process that the test forked.
#pragma once

#include <cstddef>

namespace reex {

// Whether the test has ever mapped memory that a process shares which it forks.
bool maps_shared_memory();
// Whether the address lies in such memory. Reads /proc/self/maps.
bool is_in_shared_memory(const void* address);
// Whether both are the same address, or the same place in a file or an object that is mapped twice. May read
// /proc/self/maps.
bool is_same_memory(const void* one, const void* other);

// Of memory that is mapped several times, the address at which it was mapped first. Operations at all others
// are told as operations there.
const void* first_place_of(const void* address);
extern unsigned g_mapped_again; // how many mappings are not the first ones
inline const void* told_place_of(const void* address) {
  return g_mapped_again == 0 ? address : first_place_of(address);
}

// The test has mapped it, or has unmapped what lies there, by other means than mmap (shmat).
void note_shared_mapping(char* low, std::size_t size);
void forget_shared_mapping(const char* low);

} // namespace reex
