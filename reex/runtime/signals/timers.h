// Timers that send signals, in virtual time: alarm, setitimer, timer_create. snapshot_signals and
// restore_signals save and restore them; a new worker has its zygote's.
#pragma once

#include <cstdint>

namespace reex {

std::uint64_t next_timer(); // deadline of the next timer that matters; k_never: none
void fire_timers();         // fires the timers whose time has come

void snapshot_timers();
void restore_timers();

} // namespace reex
