// Timers that send signals, in virtual time: alarm, setitimer, timer_create. snapshot_signals and
// restore_signals save and restore them; a new worker has its zygote's.
//
// A timer with SIGEV_THREAD sends a signal that the test cannot use to the starter, a thread that starts a
// thread for each of them (threads/timer_threads.cpp).
#pragma once

#include <csignal>
#include <cstdint>
#include <ctime>

namespace reex {

inline constexpr int k_starter_signal = 32; // glibc uses it for the same

// As timer_create, for a clock that has timers. With SIGEV_THREAD there must be a starter.
int make_timer(clockid_t clock, const sigevent* event, timer_t* id);
unsigned& starter_of_timers();             // a thread's number; 0: none in this execution
const sigevent* event_of_timer(int timer); // si_timerid of the starter's signal; null: it is deleted

std::uint64_t next_timer(); // deadline of the next timer that matters; k_never: none
void fire_timers();         // fires the timers whose time has come
// What becomes of signals has changed at `place`: a timer that is set, and would have ended the process, may
// tell the test the time now.
void note_set_timers(const void* place);

// So much time passes, and has not passed yet: timers that count the processor time of a thread that cannot
// run meanwhile, or of the process if none can, have as long to go as before.
void put_off_processor_timers(std::uint64_t by);

void end_timers(); // in a process that the test forked: it inherits none
void snapshot_timers();
void restore_timers();

} // namespace reex
