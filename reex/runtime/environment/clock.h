// Clocks and deadlines in virtual time (semantics: "Time"). On fibers, and before the first thread.
#pragma once

#include <cstdint>
#include <ctime>

namespace reex {

// In a process that the test forked: its clocks go on from where they stood, as fast as real ones.
void let_time_run();
void catch_up_with_time(); // elsewhere nothing

std::uint64_t read_clock(); // advances on repeated reads
timespec timespec_of(clockid_t clock, std::uint64_t now);

bool is_valid(const timespec& time); // of a point in time, also one long ago
bool is_duration(const timespec& time);
std::uint64_t deadline_of(clockid_t clock, const timespec* absolute);
std::uint64_t deadline_after(const timespec& time);
std::uint64_t deadline_after(std::uint64_t nanoseconds);
// A wait for a notification ends at once if its time has passed. A thread that does so again and again
// without being notified polls: from the third on it lets the others go first.
std::uint64_t deadline_of_wait(std::uint64_t deadline);

} // namespace reex
