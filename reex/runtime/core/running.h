// What the hooks of plain accesses keep of the running fiber, in variables of their own so that a hook costs
// a few instructions. A switch saves and loads them (fiber.cpp); reset_runtime sets main's before each
// execution.
#pragma once

#include <cstdint>

namespace reex {

extern bool g_wrote;               // it has made a plain write beyond its own stack
extern std::uintptr_t g_stack_low; // its stack: what lies in [g_stack_low, g_stack_low + g_stack_span)
extern std::uintptr_t g_stack_span;
extern void** g_shadow_top; // top of its shadow stack: return addresses of the instrumented calls under way

// Plain accesses left until a loop without a visible operation is suspected.
extern std::int32_t g_fuel;
inline constexpr std::int32_t k_fuel = 50000;
inline constexpr std::int32_t k_fuel_of_suspect = 997; // prime: the samples fall on all accesses of a loop
// The same read, sampled so often in a row, waits for a thread.
inline constexpr unsigned k_suspect_samples = 8;
// Plain accesses are visible when the fuel is below: 0, or the maximum for all.
extern std::int32_t g_visible_below;

// Highest address of the main stack when the process began, in every mode. Set once.
extern char* g_main_stack_end;

} // namespace reex
