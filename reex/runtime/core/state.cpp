// The variables of this wing, and look-ups in the table of threads.
#include "reex/runtime/core/running.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/stacks.h"
#include "reex/runtime/core/virtual_time.h"

namespace reex {

constinit Runtime g; // valid before any constructor runs
// Not an array of fibers, whose initial values would lie in the library's file; main's is set by the start.
alignas(Fiber) constinit char g_room_for_fibers[k_max_threads * sizeof(Fiber)] = {};
Fiber* const g_fibers = reinterpret_cast<Fiber*>(g_room_for_fibers);
constinit Fiber* g_alive[k_max_threads] = {};
constinit VirtualTime g_time;
constinit std::uint32_t g_patience = 0;

bool g_wrote = false;
std::uintptr_t g_stack_low = 0;
std::uintptr_t g_stack_span = 0;
void** g_shadow_top = nullptr;
std::int32_t g_fuel = k_fuel;
std::int32_t g_fuel_counted = k_fuel;
std::int32_t g_visible_below = 0;
std::int32_t g_stopped_below = 0;
char* g_main_stack_end = nullptr;
std::uintptr_t g_own_low = 0;
std::uintptr_t g_own_span = 0;
std::uintptr_t g_donors_low = 0;
std::uintptr_t g_donors_span = 0;
std::uintptr_t g_main_stack_low = 0;

namespace {

// Fiber::fs of the slots in use: a short list, because every call that names a thread looks there.
std::uint64_t g_identity[k_max_threads];

// The last thread that had this identity: it is given to another thread when the thread is gone.
Fiber* last_with(pthread_t thread) {
  Fiber* last = nullptr;
  for (unsigned slot = 0; slot < g.fibers; ++slot)
    if (g_identity[slot] == thread && (last == nullptr || g_fibers[slot].id > last->id))
      last = &g_fibers[slot];
  return last;
}

} // namespace

void forget_threads() {
  for (unsigned slot = 1; slot < g.fibers; ++slot) g_fibers[slot].state = FiberState::unused;
  g.fibers = g.created = g.live = 1;
  g_alive[0] = &g_fibers[0];
  g_identity[0] = g_fibers[0].fs;
}

void become_alive(Fiber& made) {
  made.state = FiberState::live;
  g_alive[g.live++] = &made;
  g_identity[made.slot] = made.fs;
}

void become_finished(Fiber& fiber) {
  fiber.state = FiberState::finished;
  unsigned at = 0;
  while (g_alive[at] != &fiber) ++at;
  for (--g.live; at < g.live; ++at) g_alive[at] = g_alive[at + 1];
}

void become_only_thread() {
  for (Fiber* fiber : alive()) {
    if (fiber == g.current) continue;
    fiber->state = FiberState::finished;
    fiber->joined = true;
  }
  g_alive[0] = g.current;
  g.live = 1;
}

Fiber* fiber_of(pthread_t thread) {
  Fiber* const last = last_with(thread);
  return last == nullptr || is_gone(*last) ? nullptr : last;
}

const Fiber* gone_fiber(pthread_t thread) {
  const Fiber* const last = last_with(thread);
  return last != nullptr && is_gone(*last) ? last : nullptr;
}

Fiber* live_thread(unsigned id) {
  Fiber** low = g_alive;
  for (unsigned count = g.live; count != 0;) {
    const unsigned half = count / 2;
    if (low[half]->id == id) return low[half];
    if (low[half]->id < id) {
      low += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return nullptr;
}

void* label_of(const Fiber& fiber) {
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(fiber.id) + 1);
}

} // namespace reex
