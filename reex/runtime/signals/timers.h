// Timers that send signals, on virtual time: alarm, setitimer, timer_create.
#pragma once

#include <cstdint>

namespace reex {

std::uint64_t next_timer(); // k_never: none that anything depends on
void fire_timers();         // those whose time has come

// With the snapshot of the test's memory.
void snapshot_timers();
void restore_timers();

} // namespace reex
