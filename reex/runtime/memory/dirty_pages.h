// Which pages were written: by the kernel's asynchronous write protection (userfaultfd) and PAGEMAP_SCAN,
// both of Linux 6.7. Writes that the kernel makes for a system call are seen like any other. A worker, on the
// controller's stack.
#pragma once

#include <cstddef>

namespace reex {

// Once in a worker; tries it on a page of its own. False: the kernel has not got it, or refuses it.
bool open_page_tracker();
struct TrackerDescriptors { // on which ioctl is called between executions; -1: none
  int faults;
  int pages;
};
TrackerDescriptors tracker_descriptors();

// From now on writes to these whole pages are seen.
bool track_pages(char* low, char* high);

// Forgets what was written to these whole pages. About 1 us, and as much for the next write to each page.
bool protect_pages(char* low, char* high);

// Calls `visit` for every run of pages in [low, high), which is tracked, that was written.
// About 4 ns a page.
void for_each_written(char* low, char* high, void (*visit)(char* low, char* high, void* argument),
                      void* argument);

} // namespace reex
