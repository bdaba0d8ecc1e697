// Private memory that is mapped under control beside the addresses that are reserved for it
// (mapped_memory.h): by the loader for libraries, by libc for the data of locales, by the test for files or
// for more than there is room; and what libc maps of a file for reading. In a worker that restores, a restore
// unmaps what is left of it. What refers to it, such as the loader's list of libraries, lies in memory that a
// restore brings back.
//
// Callers: make_mapping_call, the handler of the system call filter; drop_private_mappings, the controller.
//
// Invariants: a range in the table was mapped in this execution, and is still mapped. A part of a file comes
// to the same address in each execution of a worker, unless something else is there.
//
// Cost: a signal and one or two system calls for each call; of a restore, a system call for each range.
#pragma once

#include <cstdint>

namespace reex {

// Makes a call that maps such memory, or that protects or unmaps what this execution has mapped so. False: it
// is another call, and it was not made. `arguments`: six. `from`: the address behind the call. `answer`: the
// kernel's result.
bool make_mapping_call(long number, const long* arguments, std::uintptr_t from, long& answer);

// Whether the execution has mapped memory so.
bool has_private_mappings();

// Nothing of it is there any more.
void drop_private_mappings();

} // namespace reex
