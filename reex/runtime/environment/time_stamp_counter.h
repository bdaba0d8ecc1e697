// The processor's time stamp counter, which programs read by the instructions rdtsc and rdtscp, agrees with
// the virtual clocks: it is CLOCK_MONOTONIC, with one tick for each nanosecond. The kernel makes the
// instructions fault (PR_SET_TSC), and the handler of SIGSEGV executes them (faults.h).
//
// Callers: trap_time_stamps, once, when the library is loaded; the others, a fiber, or a process that the
// test forked.
//
// Invariants: children inherit the mark, also over exec, so it is lifted in all processes that the test
// makes: in the child where that is this code (fork), and around the call where it is not (posix_spawn). The
// vDSO reads the counter too; nothing of the runtime calls it, and a call of libc's gets the real counter.
// Where the kernel refuses, the counter stays the processor's own (`reex doctor` says so).
//
// Cost: two microseconds for each reading.
#pragma once

#include <csignal>

namespace reex {

void trap_time_stamps();
void allow_time_stamps(); // for good, in a process that the test forked

// Executes the instruction that has faulted, if it reads the counter. In the handler of SIGSEGV.
bool read_time_stamp(const siginfo_t& details, void* context);

// In its scope, processes are made that shall have the real counter.
class RealTimeStamps {
public:
  RealTimeStamps();
  ~RealTimeStamps();
  RealTimeStamps(const RealTimeStamps&) = delete;
  RealTimeStamps& operator=(const RealTimeStamps&) = delete;

private:
  bool m_trapped;
};

} // namespace reex
