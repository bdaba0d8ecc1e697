// The files comm, stat and status of the test's threads below /proc. The kernel knows none of these threads,
// so a file with what it would say takes the place of each, as it is when the test opens it. What is written
// to it reaches nobody.
//
// Callers: the running fiber, and anybody before the first thread.
#pragma once

#include <cstdint>

#include "reex/runtime/core/fiber.h"

namespace reex {

enum class ThreadText : std::uint8_t {
  none,    // the path asks for no such file
  name,    // comm
  numbers, // stat
  lines,   // status
};
struct ThreadFile {
  ThreadText text = ThreadText::none;
  const Fiber* thread = nullptr; // null: it has ended, and its files are gone
};

ThreadFile thread_file(const char* path);
// Returns the descriptor, or -1 with errno.
int open_thread_file(const ThreadFile& file, int flags);

} // namespace reex
