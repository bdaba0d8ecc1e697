// The files /proc/.../comm of the test's threads. The kernel knows none of these threads, so a file with the
// name takes the place of each, as it is when the test opens it. What is written to it reaches nobody.
//
// Callers: the running fiber, and anybody before the first thread.
#pragma once

#include "reex/runtime/core/fiber.h"

namespace reex {

// The thread whose name the path asks for; null: none.
const Fiber* thread_of_name_file(const char* path);
// Returns the descriptor, or -1 with errno.
int open_name_of(const Fiber& thread, int flags);

} // namespace reex
