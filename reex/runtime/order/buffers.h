// The memory that the test hands to functions which the runtime defines: the call accesses it, and may race
// there like any other code. Only calls from instrumented code count: what libraries do for themselves cannot
// race, and what they do for the test is reported where the test calls them.
//
// Null stands for an argument that was left out: nothing is accessed.
//
// Callers: the running fiber. `pc` is the return address of the call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <cwchar>

#include "reex/runtime/core/running.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/machine/modules.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/runtime/order/promoted.h"
#include "reex/runtime/order/race.h"
#include "reex/runtime/order/reach.h"

namespace reex {

inline bool is_visible_access(void* pc) { return g_visible_below > 0 || is_promoted(pc); }

// `pc` lies in the test's own code, so the accesses of this call are examined.
inline bool is_watched(void* pc) {
  return g_watching && g.active && in_instrumented_module(reinterpret_cast<std::uint64_t>(pc));
}

// What a call reads may depend on what it finds. So the scheduling point comes first, and then the size is
// computed.
inline void reach_read(const void* address, void* pc) { reach_access(address, 1, false, pc); }
inline void reach_write(const void* address, void* pc) { reach_access(address, 1, true, pc); }

// After the scheduling point: all accesses of the call belong to that one point.
inline void watch_read(const void* address, std::size_t size, void* pc) {
  if (size == 0) return;
  if (g_fingerprinting && is_visible_access(pc)) fingerprint_words(Operation::plain_read, address, size);
  watch_access(address, size, FindingAct::read, pc);
}
inline void watch_write(const void* address, std::size_t size, void* pc) {
  if (size == 0) return;
  if (g_fingerprinting && is_visible_access(pc)) fingerprint_words(Operation::plain_write, address, size);
  watch_access(address, size, FindingAct::write, pc);
}

// For a function that is a visible operation itself. The scheduling points, where such an access is one, come
// before it, because nothing may come between that operation and what the call does.
inline void will_read_buffer(const void* data, void* pc) {
  if (data != nullptr && is_watched(pc)) reach_read(data, pc);
}
inline void will_write_buffer(const void* data, void* pc) {
  if (data != nullptr && is_watched(pc)) reach_point(data, 1, true, pc);
}

// The accesses. `size`: what the call reads, or has written; not positive: nothing.
//
// What a call only tells (a clock, what poll has found) is no change by which a loop works: the loop may poll
// for it. What it has taken from somewhere (`receives_...`) is.
inline void reads_buffer(const void* data, long size, void* pc) {
  if (data != nullptr && size > 0 && is_watched(pc)) watch_read(data, static_cast<std::size_t>(size), pc);
}
inline void reads_text(const char* text, void* pc) {
  if (text != nullptr && is_watched(pc)) watch_read(text, std::strlen(text) + 1, pc);
}
inline void reads_text(const wchar_t* text, void* pc) {
  if (text != nullptr && is_watched(pc)) watch_read(text, (std::wcslen(text) + 1) * sizeof *text, pc);
}
inline void writes_buffer(const void* data, long size, void* pc) {
  if (data != nullptr && size > 0 && is_watched(pc)) watch_write(data, static_cast<std::size_t>(size), pc);
}
inline void receives_buffer(const void* data, long size, void* pc) {
  if (data == nullptr || size <= 0 || !is_watched(pc)) return;
  note_wrote(data);
  watch_write(data, static_cast<std::size_t>(size), pc);
}
inline void receives_text(const char* text, void* pc) {
  if (text != nullptr && is_watched(pc)) receives_buffer(text, static_cast<long>(std::strlen(text)) + 1, pc);
}
inline void writes_text(const char* text, void* pc) {
  if (text != nullptr && is_watched(pc)) watch_write(text, std::strlen(text) + 1, pc);
}

// Objects of a known size.
template <typename Object>
void reads_object(const Object* object, void* pc) {
  will_read_buffer(object, pc);
  reads_buffer(object, sizeof *object, pc);
}
template <typename Object>
void writes_object(const Object* object, void* pc) {
  writes_buffer(object, sizeof *object, pc);
}

} // namespace reex
