// The first half of a plain access: it may be a visible operation. The second half, the examination for races
// and freed memory, is watch_access in race.h.
//
// Callers: the running fiber.
#pragma once

#include <cstddef>
#include <cstdint>

#include "reex/runtime/core/running.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/order/promoted.h"

namespace reex {

inline void note_wrote(const void* address) {
  if (reinterpret_cast<std::uintptr_t>(address) - g_stack_low >= g_stack_span) g_wrote = true;
}

// Without the note that the thread has written.
inline void reach_point(const void* address, std::size_t size, bool write, void* pc) {
  if (--g_fuel < g_stopped_below || is_promoted(pc)) [[unlikely]]
    plain_access(address, size, write, pc);
}

inline void reach_access(const void* address, std::size_t size, bool write, void* pc) {
  if (write) note_wrote(address);
  reach_point(address, size, write, pc);
}

} // namespace reex
