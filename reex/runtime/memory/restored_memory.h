// The memory that a restore brings back, range by range with its image. Whole pages are copied back only if
// they were written, if the kernel can tell (dirty_pages.h); the rest is copied in each restore.
//
// Callers: snapshot.cpp, on the controller's stack; note_discarded also in a signal handler, on a fiber.
//
// Invariants: a page is *hot*, and copied without a question, from when it is found to be written until all
// are protected again. A write to any other page, whoever makes it, is a page fault, because that page is
// protected. So if the worker has had no page fault since the last question, only hot pages were written.
// This holds in each execution by itself: nothing is concluded from what earlier executions wrote. Memory
// that is discarded changes without a fault; note_discarded tells it.
//
// Cost of a restore: one system call (0.2 us), and a copy of the hot pages; after page faults, the question
// of dirty_pages.h for each range besides.
#pragma once

#include <cstddef>

namespace reex {

// To be called once in a worker, before its first execution. False: no range can be tracked.
bool prepare_restored_memory();

// The range is now what its image is, and bring_back brings it back. `tracked`: its whole pages may be
// tracked. Returns the number of bytes that are copied in each restore.
std::size_t add_restored(char* low, char* high, const char* image, bool tracked);

void bring_back();

// madvise lets the kernel discard what these pages hold, at once or later.
void note_discarded(char* low, std::size_t size, bool later);

} // namespace reex
