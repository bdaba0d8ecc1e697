// Processes of a test whose parents have ended, as those of a daemon. They leave the test's process group if
// they want to. So this process adopts them (PR_SET_CHILD_SUBREAPER), and ends them when no test runs any
// more.
//
// Callers: the parent process.
//
// Invariants: only processes are signalled that the kernel names as children of this process, that were not
// its children before the first test, and that it has not started itself. The number of such a child belongs
// to no other process before it is waited for here.
//
// Cost: adopt_orphans, once, and the others: reads of /proc.
#pragma once

#include <sys/types.h>

namespace reex {

void adopt_orphans(); // before a test is started

// Children that this process has started itself, and for which it waits itself.
void add_own_child(pid_t child);
void remove_own_child(pid_t child); // the last one ends the orphans

bool has_orphans();
void reap_orphans(); // those that have ended
void end_orphans();

} // namespace reex
