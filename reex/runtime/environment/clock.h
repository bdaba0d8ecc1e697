// Clocks and deadlines in virtual time (semantics: "Time"). Called on fibers, and before the first thread.
#pragma once

#include <cstdint>
#include <ctime>

namespace reex {

// In a process that the test forked: its clocks continue from their values at the fork, as fast as real
// clocks.
void let_time_run();
void catch_up_with_time(); // does nothing elsewhere

// `place`: the return address of the call, for loops that wait for the clock (clock.cpp).
std::uint64_t read_clock(const void* place);
std::int64_t nanoseconds_since_epoch(clockid_t clock, const void* place); // reads the clock
timespec timespec_of(clockid_t clock, std::uint64_t now);                 // `now`: as read

bool counts_processor_time(clockid_t clock);
bool is_of_other_process(clockid_t clock);     // the processor time of a process that is not the test's
const Fiber* thread_of(clockid_t clock);       // the thread that it tells of; null: none, or the process
std::uint64_t processor_time(clockid_t clock); // ns, now

bool is_clock(clockid_t clock);          // the kernel has it
clockid_t clock_of(const Fiber& thread); // that of its processor time
bool can_wait_by(clockid_t clock);       // the timed waits of threads know only these two

bool is_valid(const timespec& time); // of a point in time, which may lie in the past
bool is_duration(const timespec& time);
std::uint64_t nanoseconds(const timespec& time); // 0 for negative times; below k_never for very long ones
// In virtual time, of a time by the running thread's clocks.
std::uint64_t deadline_of(clockid_t clock, const timespec* absolute);
std::uint64_t deadline_after(const timespec& time);
std::uint64_t deadline_after(std::uint64_t nanoseconds);
// A visible operation and a cancellation point. Returns 0, or EINTR and the remaining time.
int sleep_until(std::uint64_t deadline, timespec* remaining, void* pc, void* frame); // sleep.cpp
// A wait for a notification ends at once if its time has passed. A thread that makes such waits again and
// again without a notification polls: from the third wait on, it lets other threads run first.
std::uint64_t deadline_of_wait(std::uint64_t deadline);

} // namespace reex
