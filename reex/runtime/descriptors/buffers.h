// The memory that the test hands to calls on descriptors and streams: the call accesses it, and may race
// there like any other code. Calls from code that is not instrumented do not count (accesses/library_call.h).
//
// Callers: the running fiber.
#pragma once

#include <cstddef>
#include <cstring>

#include "reex/runtime/accesses/access.h"
#include "reex/runtime/accesses/library_call.h"

namespace reex {

// The scheduling points, where such an access is one. They come before the visible operation of the call
// itself, because nothing may come between that and what the call does.
inline void will_read_buffer(const void* data, void* pc) {
  if (is_watched(pc)) reach_read(data, pc);
}
inline void will_write_buffer(const void* data, void* pc) {
  if (is_watched(pc)) reach_write(data, pc);
}

// The accesses. `size`: what the call reads, or has written; not positive: nothing.
inline void reads_buffer(const void* data, long size, void* pc) {
  if (size > 0 && is_watched(pc)) watch_read(data, static_cast<std::size_t>(size), pc);
}
inline void reads_text(const char* text, void* pc) {
  if (is_watched(pc)) watch_read(text, std::strlen(text) + 1, pc);
}
inline void writes_buffer(const void* data, long size, void* pc) {
  if (size > 0 && is_watched(pc)) watch_write(data, static_cast<std::size_t>(size), pc);
}

} // namespace reex
