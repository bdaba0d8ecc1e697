// What the machine must give: address space, files as large as the control block, room on the disk.
//
// Callers: the parent process, one thread.
#pragma once

#include <stdexcept>
#include <string>
#include <system_error>

namespace reex {

// What is missing and what to do about it, in one line.
struct MachineError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// What to do about an error of the system that lies in a limit or in the room that is left; "" for another.
std::string remedy_for(const std::error_code& error);
// "what failed: the error: what to do", or only the first two.
std::string with_remedy(const std::system_error& error);

// Throws MachineError if the limit of the shell leaves a test process fewer addresses than it needs.
void check_address_space();

// Whether the kernel grants the addresses that a test process maps for its heap, and each of its workers for
// the records of accesses. It asks the kernel, and gives them back.
bool grants_heap();
bool grants_access_records();
// Whether the limits let a file be as large as the control block.
bool grants_control_file();

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
void forget_lack_of_room(); // before a run with other files
// The text for the user.
std::string no_room_text(const std::string& path);

} // namespace reex
