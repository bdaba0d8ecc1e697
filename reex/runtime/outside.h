// What happens outside the test process while it waits: child processes, and connections to other processes.
// Where there are any, virtual time passes no faster than real time, and nobody's waiting is a deadlock.
#pragma once

#include <cstdint>

#include "reex/runtime/runtime.h"

namespace reex {

// A child process runs.
bool has_children();

// Nobody can run. Waits, in real time, until somebody can: true. False where nobody outside can help, or the
// earliest deadline has passed.
bool await_outside(std::uint64_t earliest_deadline);
// The same for a moment only, where spinning threads are to go on.
bool look_outside();

// In real time.
std::uint64_t real_now();
void pause_really(std::uint64_t nanoseconds);

// A thread is about to wait for what a child may do. It gets a while, so that usually all is ready when the
// choices are made, and they are the same in every execution.
inline constexpr std::uint64_t k_while = 250000000;
inline constexpr std::uint64_t k_pause = 100000;
template <class Condition>
void give_time_outside(Condition ready) {
  if (ready() || !has_children()) return;
  for (const std::uint64_t end = real_now() + k_while; real_now() < end && !ready() && has_children();)
    pause_really(k_pause);
}

} // namespace reex
