// Children that the test made before its first thread, and that have ended by then or soon after. The worker
// is not their parent, so it cannot wait for them. The zygote does, and keeps what they reported; each
// execution finds it.
//
// Callers: remember_early_children, the zygote; early_child, a fiber; forget_early_waits, a worker's
// controller, before each execution but the first.
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>

namespace reex {

struct EarlyChild {
  siginfo_t told;
  rusage usage;
  int status; // as wait4 tells it
  pid_t group;
  bool waited_for; // in this execution
};

// Gives those a moment that are at work. They run before the threads do then.
void remember_early_children();
// A child for which nobody has waited yet; null if there is none. `kind` and `id` are those of waitid.
EarlyChild* early_child(int kind, long id);
void forget_early_waits();

} // namespace reex
