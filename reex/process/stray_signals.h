// Signals that processes of a test send to this one. A child whose parent has ended has this process as its
// parent (orphans.h), and may signal what getppid() gives. Natively that is init, which they do not harm.
//
// Callers: sent_by_child, a signal handler; ignore_signals_of_children, the parent process.
#pragma once

#include <csignal>
#include <vector>

namespace reex {

// The sender is a child that this process has got since ignore_signals_of_children, and that has not been
// waited for. Those that reex starts itself send nothing. One from before may be meant to end it: a shell
// starts a watchdog, and then becomes reex.
bool sent_by_child(const siginfo_t& details);

// `others`: the children that are there by now. From now on, signals of children do nothing here, of those
// numbers whose action is the default one; those of others still end this process. Who handles other numbers
// asks sent_by_child itself. Programs that this process starts have the default actions.
void ignore_signals_of_children(const std::vector<pid_t>& others);

} // namespace reex
