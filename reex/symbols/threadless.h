// Libraries that have nothing to do with threads, as those that compress, parse or format: no thread can tell
// another one anything through them that reex does not see, so a data race beside them is one.
//
// Cost: the library's code is decoded up to its first atomic instruction; 20 ms for each megabyte. Errors:
// nothing throws.
#pragma once

#include <string>

#include "reex/symbols/linkage.h"

namespace reex {

// Whether the library at `path` neither wants a function by which threads or processes wait for each other or
// yield, nor has an atomic instruction, a fence or a system call of its own. False if its code cannot be
// read. Not seen: a library that orders threads by plain reads and writes alone.
bool is_threadless(const std::string& path, const Linkage& linkage);

} // namespace reex
