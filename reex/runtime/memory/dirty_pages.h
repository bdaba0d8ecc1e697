// Tells which pages were written. It uses the kernel's asynchronous write protection (userfaultfd) and
// PAGEMAP_SCAN, both of Linux 6.7. Writes that the kernel makes for a system call are found too.
//
// Callers: a worker, on the controller's stack.
//
// Invariants: the descriptors belong to one worker; a new worker opens its own.
//
// Cost: see the functions.
#pragma once

#include <cstddef>
#include <cstdint>

namespace reex {

// To be called once in a worker. Tests the mechanism on pages of its own. False: the kernel does not have it
// or refuses it.
bool open_page_tracker();
struct TrackerDescriptors { // the filter must allow ioctl on these between executions; -1: none
  int faults;
  int pages;
};
TrackerDescriptors tracker_descriptors();

// From now on, writes to these whole pages are found.
bool track_pages(char* low, char* high);

// How many page faults the calling thread has had; a worker has no other one. While the number stays the
// same, no protected page was written, neither by the process nor by the kernel for its system calls. Cost:
// 0.2 us.
std::uint64_t page_faults();

// Forgets the writes to these whole pages. Cost: about 1 us, and about as much at the next write to each
// page.
bool protect_pages(char* low, char* high);

// Calls `visit` for every run of written pages in [low, high), which must be tracked. Cost: about 0.5 us,
// and 4 ns for each page.
void for_each_written(char* low, char* high, void (*visit)(char* low, char* high, void* argument),
                      void* argument);

} // namespace reex
