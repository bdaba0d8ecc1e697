// What the hooks of plain accesses need to know about the running fiber. Each value is a global variable, so
// that a hook costs a few instructions.
//
// Callers: the hooks, on the running fiber; fiber.cpp and worker.cpp.
//
// Invariants: g_wrote, g_stack_low, g_stack_span and g_shadow_top belong to the running fiber: a switch saves
// and loads them (fiber.cpp). A restore leaves these variables alone; then reset_runtime sets these four for
// main, and refuels. g_visible_below and g_main_stack_end do not change in a worker. A new worker starts with
// the zygote's values.
#pragma once

#include <cstddef>
#include <cstdint>

#include "reex/runtime/core/fiber.h"

namespace reex {

extern bool g_wrote;               // the fiber wrote beyond its own stack since its last visible read
extern std::uintptr_t g_stack_low; // the fiber's stack is [g_stack_low, g_stack_low + g_stack_span)
extern std::uintptr_t g_stack_span;
// A coroutine that begins in one thread and ends in another one leaves calls behind there, and takes more
// back here than there were: a shadow stack has room below its base. The next switch forgets what was taken
// back too much.
inline constexpr std::size_t k_shadow_size = std::size_t{8} << 20;
inline constexpr std::size_t k_below_shadow = std::size_t{1} << 20;
inline constexpr std::size_t k_shadow_room = k_below_shadow + k_shadow_size;
extern void** g_shadow_top; // top of its shadow stack: return addresses of the instrumented calls under way

// Plain accesses that are left until reex suspects a loop without visible operations (semantics: "Points").
extern std::int32_t g_fuel;
extern std::int32_t
    g_fuel_counted; // g_fuel when the thread's accesses were counted last (order/time_ahead.h)
inline void refuel(std::int32_t fuel) { g_fuel = g_fuel_counted = fuel; }
inline constexpr std::int32_t k_fuel = 50000;
inline constexpr std::int32_t k_fuel_of_suspect = 997; // a prime: the samples reach all accesses of a loop
// Where nothing is explored, a prime too: a signal must not come at the same access of a loop each time.
inline constexpr std::int32_t k_fuel_alone = 49999;
// A loop that does more than to read the same is no wait. After so many samples, an access is visible all the
// same, so that others can run and time can pass. It counts for time slices as so many operations.
inline constexpr std::uint32_t k_stretch_samples = 50;
inline constexpr std::uint32_t k_stretch_operations = 50;
// After so many equal samples in a row, reex takes the read for a wait.
inline constexpr unsigned k_suspect_samples = 8;
// A plain access is visible while g_fuel is below this value: 0, or more than k_fuel if all accesses are
// visible. A worker sets it when it starts.
extern std::int32_t g_visible_below;
// plain_access is called while g_fuel is below this value: the one above, or for each access while a library
// is loaded or unloaded (accesses/loader.h).
extern std::int32_t g_stopped_below;

// Highest address of the main stack when the process began, in every mode. Set once.
extern char* g_main_stack_end;

// At a read that may belong to a loop, or a reading of the clock: the running fiber's writes since the last
// one.
inline void count_writes(Fiber& self) {
  if (g_wrote) ++self.writes;
  g_wrote = false;
}

} // namespace reex
