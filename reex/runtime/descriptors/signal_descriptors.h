// Descriptors of signals (signalfd). Each is an eventfd, for the kernel does not know the test's signals
// (signals.h). It has a count as long as the thread that asks has a pending signal of the descriptor's set,
// so that polling and epoll work as on any descriptor. What is pending depends on the thread: before the
// kernel is asked on behalf of one, tell_signal_descriptors brings the counts up to date.
//
// The table of descriptors belongs to one execution, and begins as the one of the zygote.
//
// Cost: a comparison for each call on a channel, and a system call when what is pending has changed.
#pragma once

#include "reex/runtime/core/fiber.h"

namespace reex {

struct SystemCall;

extern unsigned g_signal_descriptors; // how many there are

void bring_up_to_date(const Fiber& asking);
inline void tell_signal_descriptors(const Fiber& asking) {
  if (g_signal_descriptors != 0) bring_up_to_date(asking);
}

bool is_signal_descriptor(int descriptor);
// What the eventfd would do in another way.
void refuse_unknown_uses(const SystemCall& call);
// For SYS_read of such a descriptor: as many of the pending signals as there is room for. -EAGAIN: there is
// none.
long read_signals(const SystemCall& call);
// The descriptor is being closed.
void forget_signals(int descriptor);
// In a process that the test forked: the kernel's own descriptors take their places, and the kernel gets the
// signals of which they tell (send_signal).
void hand_over_signal_descriptors();

// In a worker, before its first execution, and in a restore.
void snapshot_signal_descriptors();
void restore_signal_descriptors();

} // namespace reex
