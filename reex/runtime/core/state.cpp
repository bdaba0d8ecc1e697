// The variables of this wing, and look-ups in the table of threads.
#include "reex/runtime/core/running.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/stacks.h"
#include "reex/runtime/core/virtual_time.h"

namespace reex {

constinit Runtime g; // valid before any constructor runs
constinit Fiber g_fibers[k_max_threads];
constinit VirtualTime g_time;

bool g_wrote = false;
std::uintptr_t g_stack_low = 0;
std::uintptr_t g_stack_span = 0;
void** g_shadow_top = nullptr;
std::int32_t g_fuel = k_fuel;
std::int32_t g_visible_below = 0;
char* g_main_stack_end = nullptr;
std::uintptr_t g_own_low = 0;
std::uintptr_t g_own_span = 0;
std::uintptr_t g_donors_low = 0;
std::uintptr_t g_donors_span = 0;
std::uintptr_t g_main_stack_low = 0;

Fiber* fiber_of(pthread_t thread) {
  for (unsigned id = g.fibers; id-- > 0;)
    if (g_fibers[id].state != FiberState::unused && g_fibers[id].fs == thread &&
        !(g_fibers[id].state == FiberState::finished && (g_fibers[id].joined || g_fibers[id].detached)))
      return &g_fibers[id];
  return nullptr;
}

void* label_of(const Fiber& fiber) {
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(fiber.id) + 1);
}

} // namespace reex
