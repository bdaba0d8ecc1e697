// What the machine must give: address space, files as large as the control block, room on the disk.
//
// Callers: the parent process, one thread.
#pragma once

#include <stdexcept>
#include <string>

namespace reex {

// What is missing and what to do about it, in one line.
struct MachineError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Lets a new, sparse file have this size. The limit of the shell for files (ulimit -f) is for the test, and
// is lifted meanwhile as far as it may be. False: errno says why.
bool make_sparse(int file, std::size_t size);

// Maps the file shared. Throws MachineError.
void* map_shared(int file, std::size_t size);
void unmap_shared(void* memory, std::size_t size);

// The file system of this file has no room left for pages of a sparse file.
bool is_full(const std::string& path);
// A page of a mapped file found no room since the process began. It reads as zero, and what is written there
// is lost.
bool ran_out_of_room();
// The text for the user.
std::string no_room_text(const std::string& path);

} // namespace reex
