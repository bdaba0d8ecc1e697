// Signals that the test sends to itself are kept here and never reach the kernel: each thread has its mask
// and what is pending for it, and a handler runs on the thread's own stack right before the thread's next
// visible operation, or in the middle of a wait. The kernel's signals that remain are faults
// (runtime/failure.cpp), SIGPIPE and SIGCHLD.
#pragma once

#include <csignal>
#include <cstdint>

#include "reex/runtime/core/fiber.h"

namespace reex {

inline constexpr int k_signals_end = 65; // numbers are 1 to 64
using SignalSet = std::uint64_t;

constexpr SignalSet bit_of(int number) { return SignalSet{1} << (number - 1); }
inline void* object_of(int number) { // stands for the signal, in traces too
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(number) + 1);
}
constexpr bool is_signal(int number) { return number > 0 && number < k_signals_end; }
inline constexpr SignalSet k_never_blocked = bit_of(SIGKILL) | bit_of(SIGSTOP);

SignalSet set_of(const sigset_t& set);
void store_set(sigset_t& set, SignalSet value);

// What the test has asked for; for faults it is in force in the kernel as well.
struct sigaction& action_of(int number);
bool set_action(int number, const struct sigaction& action);

// To the thread, or to the process (null): then to main if it can take it, else to one that can.
void send_signal(Fiber* target, int number, const siginfo_t& details);
siginfo_t details_from_test(int number, int code);

bool waits_for_sent(const Fiber& fiber); // in sigwait, for one that was sent
SignalSet pending_for(const Fiber& fiber);
// Takes one of the set that was sent to the thread or the process; 0 if there is none.
int take_signal(Fiber& fiber, SignalSet set, siginfo_t& details);

// Inside the runtime, on the thread: runs the handlers of all signals that it has. Whether others may have
// run.
bool deliver_signals(Fiber& self);
// At the end of a call that has sent or unblocked signals: those for the caller are delivered before it
// returns.
void deliver_own_signals();

void read_actions();      // once, when the library is loaded
void forward_signals();   // in a worker: what the kernel itself sends is kept like the rest
void watch_children();    // in the zygote: children, its workers too, are there until somebody waits for them
void admit_signals();     // SIGCHLD, where it has come: where children are looked at, not at any moment
void hand_over_signals(); // in a process that the test has forked: the kernel takes over
void snapshot_signals();
void restore_signals();

} // namespace reex
