// Processes that the test makes: a child that goes on after fork runs by itself, with the thread that forked
// alone. (In restore mode the fork's system call has moved the test to fork per execution before it comes to
// this.)
#include <cerrno>
#include <sys/types.h>

#include "reex/runtime/libc.h"
#include "reex/runtime/runtime.h"

using namespace reex;

namespace {

pid_t fork_off() {
  const pid_t pid = libc().fork();
  if (pid == 0) {
    g.forked_off = true;
    g.active = g.controlled = false;
  }
  return pid;
}

} // namespace

REEX_EXPORT pid_t fork() noexcept { return fork_off(); }
REEX_EXPORT pid_t _Fork() noexcept { return fork_off(); }
REEX_EXPORT pid_t vfork() noexcept { return fork_off(); } // a copy: what the child writes stays its own
