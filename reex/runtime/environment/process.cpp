// Processes that the test makes, and the numbers of its own. A child that goes on after fork runs by itself,
// with the thread that forked alone. (In restore mode the fork's system call has moved the test to fork per
// execution before it comes to this.)
#include <cerrno>
#include <sys/types.h>

#include "reex/runtime/core/runtime.h"
#include "reex/runtime/machine/libc.h"
#include "reex/runtime/signals/signals.h"

namespace reex {
namespace {

pid_t g_process = 0; // the zygote, which the test was before its first thread
pid_t g_parent = 0;
pid_t g_forker = 0; // in a process that the test forked: the worker that it comes from

pid_t kernel_process() { return static_cast<pid_t>(raw_syscall(SYS_getpid)); }

pid_t fork_off() {
  const pid_t worker = kernel_process();
  // Until the child's handlers are the kernel's, no signal reaches it.
  constexpr SignalSet k_all = ~bit_of(SIGSYS); // that one is the filter's
  SignalSet before = 0;
  raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, as_long(&k_all), as_long(&before), sizeof k_all);
  const pid_t pid = libc().fork();
  if (pid == 0) {
    g_forker = worker;
    g.forked_off = true;
    g.active = g.controlled = false;
    let_time_run();
    hand_over_signals();
  } else {
    raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, as_long(&before), 0, sizeof before);
  }
  return pid;
}

} // namespace

void remember_process() {
  g_process = kernel_process();
  g_parent = static_cast<pid_t>(raw_syscall(SYS_getppid));
}

pid_t process_id() { return g.controlled ? g_process : kernel_process(); }

} // namespace reex

using namespace reex;

REEX_EXPORT pid_t fork() noexcept { return fork_off(); }
REEX_EXPORT pid_t _Fork() noexcept { return fork_off(); }
REEX_EXPORT pid_t vfork() noexcept { return fork_off(); } // a copy: what the child writes stays its own

REEX_EXPORT pid_t getpid() noexcept { return process_id(); }
REEX_EXPORT pid_t __getpid() noexcept { return process_id(); }
REEX_EXPORT pid_t getppid() noexcept {
  if (g.controlled) return g_parent;
  const auto parent = static_cast<pid_t>(raw_syscall(SYS_getppid));
  return g.forked_off && parent == g_forker ? g_process : parent;
}
REEX_EXPORT pid_t gettid() noexcept { return process_id() + (g.current == nullptr ? 0 : g.current->id); }
