// Processes that the test makes. After a fork, the child runs without control, with only the thread that
// forked; others that it creates take turns (schedule/alone.h). (A worker that restores never comes here: the
// filter catches the system call first, and the test moves to fork mode.)
#include <csignal>
#include <sys/types.h>

#include "reex/runtime/core/running.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/shared_objects.h"
#include "reex/runtime/core/shared_ranges.h"
#include "reex/runtime/core/stacks.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/descriptors/channels.h"
#include "reex/runtime/descriptors/signal_descriptors.h"
#include "reex/runtime/environment/clock.h"
#include "reex/runtime/environment/faults.h"
#include "reex/runtime/environment/process_id.h"
#include "reex/runtime/environment/time_stamp_counter.h"
#include "reex/runtime/machine/libc.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/order/dormant_code.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/runtime/order/race.h"
#include "reex/runtime/primitives/named_semaphore.h"
#include "reex/runtime/processes/fork.h"
#include "reex/runtime/record/unexplored.h"
#include "reex/runtime/signals/signals.h"

namespace reex {

namespace {

pid_t g_forker = 0; // the process that forked last
pid_t g_child = 0;  // the process that has begun as a child

pid_t own_id() { return static_cast<pid_t>(raw_syscall(SYS_getpid)); }

// After the handlers that the test has registered by pthread_atfork, between which threads may be switched.
void end_preparation() { g_forker = own_id(); }

// Before the test's handlers in the child: they run without control, too, and the records are the parent's.
void begin_child() {
  if (g_child == own_id()) return; // it has come here before
  g_child = own_id();
  remember_forker(g_forker, g.current->id);
  g.forked_off = true;
  g.active = g.controlled = false;
  become_only_thread();
  leave_records_alone();
  separate_calls(*g.current, g_shadow_top);
  let_time_run();
  allow_time_stamps();
  wake_all_code();
  leave_faults();
  hand_over_signals();
  hand_over_signal_descriptors();
}

// The child gets a copy of what the other threads have done so far, and of the locks that they hold.
pid_t fork_off(int (*makes)(), void* pc, void* frame) {
  if (g.active && !is_alone()) visible(Operation::process_fork, nullptr, pc, frame);
  g.control->status.forked = true;
  process_made();
  if (maps_shared_memory() || has_named_semaphores()) {
    note_shared_memory();
    begin_sharing();
  }
  // No signal reaches the child until the kernel has its handlers.
  constexpr SignalSet k_all = ~k_needed;
  SignalSet before = 0;
  raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, as_long(&k_all), as_long(&before), sizeof k_all);
  end_preparation();
  const pid_t pid = makes();
  if (pid == 0) {
    begin_child();
  } else {
    raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, as_long(&before), 0, sizeof before);
    if (g_sharing) let_children_rest();
  }
  return pid;
}

} // namespace

void come_first_in_children() { libc().register_atfork(end_preparation, nullptr, begin_child, nullptr); }

} // namespace reex

using namespace reex;

REEX_EXPORT pid_t fork() noexcept { return fork_off(libc().fork, REEX_CALLER, REEX_FRAME); }
// These call no handlers of forks.
REEX_EXPORT pid_t _Fork() noexcept { return fork_off(libc().fork_alone, REEX_CALLER, REEX_FRAME); }
REEX_EXPORT pid_t vfork() noexcept {
  return fork_off(libc().fork_alone, REEX_CALLER, REEX_FRAME);
} // the child has a copy of the memory
