// Signals that processes of a test send to this one. A child whose parent has ended has this process as its
// parent (orphans.h), and may signal what getppid() gives. Natively that is init, which they do not harm.
//
// Callers: sent_by_child, a signal handler; ignore_signals_of_children, the parent process.
#pragma once

#include <csignal>

namespace reex {

// The sender is a child of this process that has not been waited for. Those that reex starts itself send
// nothing.
bool sent_by_child(const siginfo_t& details);

// From now on, signals of children do nothing here, of those numbers whose action is the default one; those
// of others still end this process. Who handles other numbers asks sent_by_child itself. Programs that this
// process starts have the default actions.
void ignore_signals_of_children();

} // namespace reex
