// Signals that the test sends to itself (semantics: "Signals"). The runtime handles them, and they never
// reach the kernel. Each thread has a mask and a set of pending signals. A handler runs on the thread's own
// stack, right before the thread's next visible operation or in the middle of a wait. The kernel still
// handles faults (worker/failure.cpp), SIGPIPE and SIGCHLD.
//
// Callers: the running fiber, unless a comment says otherwise.
//
// Invariants: actions, pending signals and main's Personal belong to one execution; restore_signals brings
// them back. A new worker starts with its zygote's. The handlers that the kernel runs for SIGPIPE and SIGCHLD
// only set bits, with atomic operations.
//
// Cost: a few bit operations at each visible operation.
#pragma once

#include <csignal>
#include <cstdint>

#include "reex/runtime/core/fiber.h"

namespace reex {

inline constexpr int k_signals_end = 65; // signals have the numbers 1 to 64
using SignalSet = std::uint64_t;

constexpr SignalSet bit_of(int number) { return SignalSet{1} << (number - 1); }
inline void* object_of(int number) { // the object of an operation on the signal, also in traces
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(number) + 1);
}
constexpr bool is_signal(int number) { return number > 0 && number < k_signals_end; }
inline constexpr SignalSet k_never_blocked = bit_of(SIGKILL) | bit_of(SIGSTOP);
inline constexpr SignalSet k_needed =
    bit_of(SIGSYS) | bit_of(SIGSEGV); // by the runtime, in the kernel's mask

SignalSet set_of(const sigset_t& set);
void store_set(sigset_t& set, SignalSet value);

// The action that the test has set. For faults it is also set in the kernel.
struct sigaction& action_of(int number);
bool set_action(int number, const struct sigaction& action);

// Sends to the thread. If `target` is null, sends to the process: to main if it can take the signal,
// otherwise to a thread that can.
void send_signal(Fiber* target, int number, const siginfo_t& details);
siginfo_t details_from_test(int number, int code);
bool can_take(const Fiber& fiber, int number); // it lives, and does not block the signal or waits for it

bool timer_signal_is_pending(int timer); // si_timerid

bool waits_for_sent(const Fiber& fiber); // in sigwait or a variant, for a signal that is pending
SignalSet pending_for(const Fiber& fiber);
// Removes a pending signal of the set, sent to the thread or the process, and returns its number; 0 if there
// is none.
int take_signal(Fiber& fiber, SignalSet set, siginfo_t& details);

// To be called inside the runtime, on the thread, before an operation that it could execute at once: whether
// the signals that it has to deliver come later. That is a choice.
bool signals_are_late(Fiber& self);
// To be called inside the runtime, on the thread: runs the handlers of all signals that it has to deliver.
void deliver_signals(Fiber& self);
// To be called at the end of a call that has sent or unblocked signals: delivers those of the caller before
// the call returns.
void deliver_own_signals();

// Descriptors may tell of signals. descriptors (signal_descriptors.cpp) defines these.
bool is_told_by_descriptor(int number); // then it is not ignored
// It has become pending: who waits for edges gets one, also if another signal is pending there already.
void told_by_descriptor(int number);
void sent_to_descriptor(); // by the running fiber

void read_actions(); // once, when the library is loaded
// In a new worker: the action of faults for which the test has none. Those that it has set stay.
void catch_faults(const struct sigaction& action);
void forward_signals();   // in a new worker: the kernel's own signals become pending like others
void watch_children();    // in the zygote: ended children, also its workers, remain until a wait
void admit_signals();     // makes a SIGCHLD that has arrived pending, at the operations that look at children
void hand_over_signals(); // in a process that the test forked: the kernel takes over, and nothing is pending
// In such a process: the kernel's mask becomes that of the running thread.
void give_mask_to_kernel();
void snapshot_signals();
void restore_signals();

} // namespace reex
