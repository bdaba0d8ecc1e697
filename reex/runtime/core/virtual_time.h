// The numbers of virtual time. Code that reads clocks or computes deadlines uses environment/clock.h. Code
// that moves time uses this header: schedule/passing.cpp, and the code that waits for other processes.
//
// Invariants: a restore leaves g_time alone; reset_runtime then sets `now` and `idle` to their values at the
// start of the worker, and begin_slices the rest. A new worker starts with the zygote's values.
#pragma once

#include <cstdint>

namespace reex {

struct VirtualTime {
  std::uint64_t now = 0;     // ns since the process began
  std::uint64_t idle = 0;    // of them, those in which no thread could run
  std::uint64_t idled = 0;   // tells apart which threads could not run, and how long, in this execution
  std::uint64_t expired = 0; // deadlines up to here have been dealt with
  std::uint64_t jumped = 0;  // the time to which it has last jumped, for who waited for it; 0: it has not
  std::uint64_t put_off = 0; // how far timers that would only end the process were put off, in this execution

  // Time slices (schedule/passing.h). Operations are counted from the start of the execution.
  std::uint32_t operations = 0;   // visible operations that were executed, except for joins
  std::uint32_t slice_end = 0;    // the slice is over when so many were executed
  bool clock_waited_for = false;  // a thread waits for the clock: the turn passes at once
  std::uint32_t slice = 0;        // operations of a slice
  bool lapping = false;           // a lap is under way
  std::uint32_t lap = 0;          // operations before it
  std::uint32_t timer_slices = 0; // laps that timers have waited
  std::uint32_t short_laps = 0; // of the last ones, not yet a lap of full length: the lengths of their slices
  std::uint32_t clock_slices = 0; // slices that threads have waited that poll the clock
  std::uint32_t clock_moved = 0;  // operations when a reading of the clock last moved time
  bool held_up = false;           // the last one that would have did not
  bool waited = false;            // somebody has waited a slice; false: all counts of slices are 0
  std::uint32_t stood = 0;        // slices in which time stood still although somebody waited, since all did
  std::uint32_t stood_most = 0;   // the most of them in this execution
  std::uint64_t passed = 0;       // ns at ends of slices, since all waited
  std::uint32_t all_waited = 0;   // times that all waited, so that time passed
  bool some_came = false;         // Fiber::came was set in this execution
  bool turn_due = false;          // a round is due, as soon as another thread can run
  std::uint32_t jumps = 0;        // of time, because no thread could run, since the last end of a slice
  std::uint32_t turns_by_jumps = 0;
  std::uint32_t looks = 0; // turns in this slice of who was put back, before jumps, where code is not seen
  std::uint32_t turn_skips = 0; // so many points where two threads can run, until that turn passes
  std::uint32_t kept_out = 0;   // ends of slices in a row at which the running thread held what others needed
  int gave_way = -1;            // the thread with which a round has begun, until it runs again; -1: none
};

extern VirtualTime g_time;
// In how many slices time stands still at most, in this execution (worker/patience.h).
extern std::uint32_t g_patience;

struct Fiber;
// Time moves to a later point. Threads that cannot run use no processor time meanwhile, but for the little
// that waiting costs; nor does the process if none can (schedule/passing.cpp).
void move_time(std::uint64_t to);
// The same, to a deadline: who has waited for it wakes up, and finds that some more time has passed
// (environment/clock.cpp).
void jump_time(std::uint64_t to);
// Whether a thread other than this one can run and does not spin (schedule/passing.cpp).
bool can_run_beside(const Fiber* one);
// The next time at which another thread than this one, or a timer, is to wake up; k_never: none. One that has
// woken is taken to sleep as long again (schedule/passing.cpp).
std::uint64_t next_wake_beside(const Fiber* one);
// When the last quarter of a guard's time begins, for the first guard; k_never: nobody waits with one. From
// then on time passes as slowly for all others as for the guard: what is short shall not add up to it
// (schedule/passing.cpp).
std::uint64_t guarded_from();
// By how much time may pass, of `step`, while threads work: they may be about to do what a guard waits for,
// so no more than `little` is added to the last quarter of its time.
std::uint64_t beside_guards(std::uint64_t step, std::uint64_t little);
// Whether time does not pass now, because others than the running thread can run (schedule/passing.cpp).
bool stands_still();
// Beyond the step limit, a reading of the clock is a step, and takes as long each time
// (schedule/waits_in_vain.cpp).
std::uint64_t read_clock_beyond_limit();
// Time moves by so much although no real time has passed: for who reads the clock, or waits for others that
// work. A timer that would only end the process has as long to go as before (signals/timers.cpp).
void put_off_watchdogs(std::uint64_t by);

} // namespace reex
