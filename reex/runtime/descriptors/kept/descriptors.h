// Descriptors that the test opened before its first thread (semantics: "Opened before the first thread"). A
// worker that executes one schedule is a fork. It shares these descriptors with its zygote and with all other
// executions: bytes that one execution leaves would reach the next one, and no reader would see the end of a
// pipe. So each such worker first puts a new object of the same kind and state behind the same number.
//
// Callers: stated at each function.
//
// Invariants: the zygote fills the variables; workers only read them. Descriptors that were open when the
// library was loaded are never touched.
//
// Cost: a few system calls for each open descriptor, in each such worker.
#pragma once

namespace reex {

inline constexpr int k_lowest_own = 800; // the runtime's own descriptors have these numbers, or higher ones

// When the library is loaded: remembers what is open now. It belongs to others and stays as it is.
void remember_inherited();
// socketpair has made these two ends. Nothing else tells which sockets belong together.
void remember_pair(const int* ends);
// In the zygote, once: records what is open, and removes the contents of pipes and socket pairs.
void remember_descriptors();
// Whether the zygote had child processes then for which it had not waited. A worker cannot do it.
bool had_children();
// In a worker, before its only execution.
void renew_descriptors();
// In a worker that restores, before it installs the filter (prepare_renewals), and in a restore: the same for
// pipes, sockets, eventfds, timers, and epoll instances that watch nothing else.
void prepare_renewals();
void renew_channels();
bool is_renewed_channel(int number); // it was one of these then
bool had_internet_sockets();         // some of them were sockets of the internet
void each_renewed_channel(void (*visit)(int number));
// The descriptor is about to be closed. The zygote still has what it leads to. If that is a bound socket of a
// stream, and no other descriptor leads to it, nobody reaches it any more, and its address is free.
void leave_bound_socket(int number);
// A regular file that was open then.
bool is_open_file(int number);
bool has_files_open_for_writing(); // of those
// In a worker that restores: these files are at the positions that they had then.
void rewind_files();

} // namespace reex
