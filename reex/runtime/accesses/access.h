// A plain access of the test, reported by a hook or by a function of a library. First it may be a visible
// operation; then it is examined for races and freed memory. `pc` is the return address in the code that
// accesses.
#pragma once

#include <cstddef>
#include <cstdint>

#include "reex/runtime/core/running.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/stacks.h"
#include "reex/runtime/order/buffers.h"
#include "reex/runtime/order/race.h"
#include "reex/runtime/order/reach.h"
#include "reex/runtime/order/shadow_memory.h"

namespace reex {

[[gnu::always_inline]] inline void access(const void* address, std::size_t size, bool write, void* pc) {
  reach_access(address, size, write, pc);
  if (g_watching && (may_be_other_stack(address) || g.detail || !settle(address, size, write, pc)))
    watch_access(address, size, write ? FindingAct::write : FindingAct::read, pc);
}

} // namespace reex
