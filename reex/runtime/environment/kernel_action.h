// The kernel's action of a signal. A worker that restores keeps all others from changing it: who sets one in
// an execution sets it back afterwards (signals/signals.cpp).
//
// Callers: any thread, also in a signal handler.
//
// Cost: a system call; in a worker that restores, two.
#pragma once

#include <csignal>

namespace reex {

// As sigaction(2).
int set_kernel_action(int number, const struct sigaction& action);

} // namespace reex
