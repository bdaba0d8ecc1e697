// The stacks of the test's threads, as other threads may use them: an object on a stack is there for other
// threads only as long as the function that has it has not returned. memory/stack_memory.cpp checks it.
//
// A suspended thread has stopped at a call into the runtime. What lies below the caller's stack pointer
// (Fiber::live_from) belongs to functions that have returned.
//
// Callers: the hooks, on the running fiber; left_frames, a fiber that is about to be suspended or that ends.
//
// Invariants: g_own_low and g_own_span belong to the running fiber (use_stack_of in fiber.cpp). The others do
// not change in a worker.
//
// Cost: two comparisons for an access to other memory, three for one to the own stack.
#pragma once

#include <cstddef>
#include <cstdint>

#include "reex/runtime/core/fiber.h"
#include "reex/shared/findings.h"

namespace reex {

inline constexpr std::size_t k_main_stack = std::size_t{8} << 20; // what is taken for the main thread's stack

extern std::uintptr_t g_own_low; // the running fiber's stack, and its thread-local storage if that lies above
extern std::uintptr_t g_own_span;
extern std::uintptr_t g_donors_low; // the stacks that reex provides, and what lies between them
extern std::uintptr_t g_donors_span;
extern std::uintptr_t g_main_stack_low;

inline bool may_be_other_stack(const void* address) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  return (at - g_donors_low < g_donors_span || at - g_main_stack_low < k_main_stack) &&
         at - g_own_low >= g_own_span;
}

// The running fiber accesses the memory, or uses a synchronization object there (size 0). If it belongs to
// another thread's stack and is dead, the execution ends.
void watch_stack(const void* address, std::size_t size, FindingAct act);

// The running fiber will be suspended at a call, or ends: what lies below `live_from` is dead. Accesses of
// other threads to what has died now must have happened before; otherwise they race with its end.
void left_frames(Fiber& self, const void* live_from);

// In a process that the test forked: its instrumented calls are not to be written where the worker keeps its
// own, which the processes share. `top`: the end of the calls under way.
void separate_calls(const Fiber& fiber, void** top);

} // namespace reex
