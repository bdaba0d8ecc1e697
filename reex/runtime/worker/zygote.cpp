#include "reex/runtime/worker/zygote.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <linux/futex.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/process.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/shared_objects.h"
#include "reex/runtime/descriptors/kept/descriptors.h"
#include "reex/runtime/descriptors/kept/record_locks.h"
#include "reex/runtime/descriptors/system_v.h"
#include "reex/runtime/environment/file_watch.h"
#include "reex/runtime/environment/process_id.h"
#include "reex/runtime/environment/random.h"
#include "reex/runtime/machine/modules.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/memory/mapped_memory.h"
#include "reex/runtime/memory/shared_memory.h"
#include "reex/runtime/order/dormant_code.h"
#include "reex/runtime/order/new_code.h"
#include "reex/runtime/order/promoted.h"
#include "reex/runtime/primitives/inline_futex.h"
#include "reex/runtime/primitives/named_semaphore.h"
#include "reex/runtime/processes/early_children.h"
#include "reex/runtime/record/captured_output.h"
#include "reex/runtime/record/log.h"
#include "reex/runtime/record/self_check.h"
#include "reex/runtime/signals/signals.h"
#include "reex/runtime/threads/donor.h"
#include "reex/runtime/worker/again.h"
#include "reex/runtime/worker/conclude.h"
#include "reex/runtime/worker/step_limit.h"
#include "reex/runtime/worker/worker.h"

extern "C" void* __libc_stack_end; // of the loader: the stack pointer as the process began

namespace reex {
namespace {

constexpr unsigned k_first_donors = 8;
constexpr unsigned k_deaths_without_progress = 3;

int g_log = -1;

// In the zygote: forks a worker and waits for its end. In the worker: returns true on the main fiber, once
// for each execution.
bool run_worker(Mode mode, int& wait_status) {
  const pid_t zygote = static_cast<pid_t>(raw_syscall(SYS_getpid));
  g.control->status.worker_left = false;
  put_system_v_back();
  wake_settled_code();
  rewind_output(); // the worker takes over what this process has read of a dead one's
  const long pid = raw_syscall(SYS_fork);
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (raw_syscall(SYS_getppid) != zygote) leave(k_says_internal);
    enter_worker(mode, g_log);
    return true;
  }
  if (pid < 0) stop_zygote(Finish::error, "cannot fork a worker");
  g.control->status.worker_pid.store(static_cast<std::int32_t>(pid));
  while (raw_syscall(SYS_wait4, pid, as_long(&wait_status), 0, 0) < 0) {
  }
  g.control->status.worker_pid.store(0);
  put_files_back();
  if (WIFEXITED(wait_status) && !g.control->status.worker_left)
    stop_zygote(Finish::unsupported,
                "the test ends a thread or its process by a system call of its own (exit, exit_group in "
                "assembly), which reex does not see");
  search().recover();
  return false;
}

// What an earlier process of the test has counted, or one elsewhere, names its objects by their addresses.
void move_profiles() {
  static const char k_here = 0;
  const MemoryLayout now{.program = getauxval(AT_ENTRY),
                         .mapped = reinterpret_cast<std::uint64_t>(&k_here),
                         .stack = reinterpret_cast<std::uint64_t>(__libc_stack_end)};
  g.control->own.sampling.profile.move_to(now);
  if (g.control->own.index == 0) g.shared->frontier.profile.move_to(now);
}

// Gives the failure, the findings, or both to the parent, and waits until it has read them.
void hand_over_report() {
  FailureSlot& slot = g.control->failure;
  slot.state.store(1);
  ring_doorbell();
  while (slot.state.load() != 0) raw_syscall(SYS_futex, as_long(&slot.state), FUTEX_WAIT, 1, 0);
}

// After an execution that needed more threads, or larger stacks, than there were.
bool more_donors() {
  const unsigned before = usable_donors();
  require_stack(g.control->status.wanted_stack);
  const unsigned wanted = usable_donors() < before ? before : 2 * before;
  return donor_count() < k_max_donors && make_donors(wanted);
}

// The number of executions that have ended.
std::uint64_t executions(const ControlBlock& control) {
  const Status& status = control.status;
  return status.schedules.load() + status.pruned.load() + status.audited.load() +
         status.of_other_shards.load() + control.imunit.stuck.load();
}

bool was_killed(int wait_status) {
  return WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == SIGKILL &&
         g.control->status.killed_hung.load() == 0;
}

int signal_of(int wait_status) { return WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0; }

// The worker died in the second execution of the self-check.
void end_check_for(int wait_status) {
  const bool hung = g.control->status.killed_hung.exchange(0) != 0;
  note_death_in_check(hung ? End::watchdog : End::signalled, signal_of(wait_status));
}

// The worker died in the middle of an execution: its death is how the execution ended.
void end_by_death(Ending& ending, int wait_status) {
  const bool hung = g.control->status.killed_hung.exchange(0) != 0;
  ending = {.times_passed = ending.times_passed,
            .patience = ending.patience,
            .loop_cut = ending.loop_cut,
            .frame_raced = ending.frame_raced};
  ending.end = hung ? End::watchdog : End::signalled;
  ending.value = signal_of(wait_status);
  ending.key = static_cast<std::uint64_t>(ending.value) + 1;
  snprintf(ending.message, sizeof ending.message,
           hung ? "no scheduling point was reached for too long" : "killed by signal %d", ending.value);
}

void conclude_for(int wait_status) {
  if (!g.control->own.run.learning) return;
  end_by_death(g.control->ending, wait_status);
  conclude();
}

// The test may have lowered a limit itself.
[[noreturn]] void stop_without_threads() {
  rlimit limit{};
  raw_syscall(SYS_getrlimit, RLIMIT_AS, as_long(&limit));
  if (limit.rlim_cur == RLIM_INFINITY) stop_zygote(Finish::error, "the system refuses to create threads");
  char text[128];
  snprintf(text, sizeof text,
           "addresses are limited to %llu MB (RLIMIT_AS), which leaves no room for threads under control",
           static_cast<unsigned long long>(limit.rlim_cur >> 20));
  stop_zygote(Finish::unsupported, text);
}

} // namespace

void ring_doorbell() {
  Status& status = g.shared->status; // the parent waits for this block's doorbell only
  status.doorbell.fetch_add(1);
  raw_syscall(SYS_futex, as_long(&status.doorbell), FUTEX_WAKE, 1);
}

void stop_zygote(Finish why, const char* reason) {
  Status& status = g.control->status;
  if (status.finish == Finish::none || why == Finish::error) status.finish = why;
  if (reason != nullptr) snprintf(status.reason, sizeof status.reason, "%s", reason);
  remove_system_v();
  ring_doorbell();
  leave(0);
}

void become_zygote() {
  ControlBlock& control = *g.control;
  Status& status = control.status;
  g.active = false;
  find_modules();
  remember_output();
  remember_process();
  remember_random();
  if (const char* log = getenv(k_log_variable); log != nullptr) open_log(g_log = atoi(log));
  remember_early_children();
  if (g_sharing) end_early_sharing();
  snapshot_named_semaphores();
  remember_descriptors();
  remember_system_v();
  give_back_record_locks();
  begin_with_these_files();
  watch_children();
  status.isolation = control.config.isolation == IsolationMode::fork || restores_are_at_fault()
                         ? IsolationMode::fork
                         : IsolationMode::restore;
  if (!replace_inline_futexes()) refuse("OpenMP with a libgomp whose waits are not known");
  hide_processor();
  if (!make_donors(k_first_donors)) stop_without_threads();
  reserve_mappings();
  if (!save_shared_memory())
    stop_zygote(Finish::unsupported,
                "the test shares more memory by mmap than can be set back between executions");
  move_profiles();
  status.ready = true;
  tell_first_code();

  SelfCheck& check = control.check;
  FailureSlot& failure = control.failure;
  const auto detail = [&](int& wait_status) { return run_worker(Mode::detail, wait_status); };
  // Makes the detailed execution that is due. Returns true in the worker.
  const auto execute_again = [&] {
    for (unsigned tries = 0; tries < k_deaths_without_progress; ++tries) {
      int wait_status = 0;
      failure.replayed = {};
      if (detail(wait_status)) return true;
      if (WIFSIGNALED(wait_status)) end_by_death(failure.replayed, wait_status);
      const bool again = WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == k_says_more_threads;
      if (again && more_donors())
        tries = 0;
      else if (signal_of(wait_status) != SIGKILL || failure.replayed.end == End::watchdog)
        break;
    }
    return false;
  };
  // Executes in detail what is due, and gives it to the parent. Returns true in the worker.
  const auto report_due = [&] {
    if (execute_again()) return true;
    bool anew = false;
    failure.repeated = ends_alike(failure.ending, failure.replayed);
    if (!failure.repeated && raise_limit(failure.ending)) {
      if (execute_again()) return true;
      failure.repeated = ends_alike(failure.ending, failure.replayed);
    }
    if (failure.failed && !failure.repeated) {
      if (status.isolation == IsolationMode::restore) {
        const Ending fresh = failure.replayed;
        if (execute_again()) return true;
        anew = ends_alike(fresh, failure.replayed);
        failure.replayed = fresh;
      }
      if (anew || !is_failure(failure.replayed)) forget_failure(!anew);
      if (anew) failure.failed = false;
    }
    hand_over_report();
    promote_races();
    if (anew) explore_without_restores();
    return false;
  };
  unsigned deaths = 0;
  if (control.failure.due && report_due()) return; // this run continues an earlier one
  for (;;) {
    int wait_status = 0;
    if (control.config.task == Task::replay) {
      control.failure.replayed = {};
      if (detail(wait_status)) return;
      if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == k_says_more_threads && more_donors())
        continue;
      if (WIFSIGNALED(wait_status) && !was_killed(wait_status))
        end_by_death(control.failure.replayed, wait_status);
      hand_over_report();
      if (control.config.promotes) promote_races();
      if (status.stop.load() == 0) continue; // the parent wants another execution
      stop_zygote(Finish::complete);
    }
    const std::uint64_t before = executions(control);
    const bool restoring = status.isolation == IsolationMode::restore && !check.confirming;
    if (run_worker(restoring ? Mode::restore : Mode::once, wait_status)) return;
    int said = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : -1;
    if (said == -1 && check.running && !was_killed(wait_status)) {
      end_check_for(wait_status);
      said = k_says_differs;
    }
    switch (said) {
    case k_says_finished:
      stop_zygote(status.finish);
    case k_says_next:
    case k_says_report:
      break;
    case k_says_outdated:
      begin_check_anew();
      if (restores_are_at_fault()) status.isolation = IsolationMode::fork;
      continue;
    case k_says_irreversible:
      status.isolation = IsolationMode::fork;
      continue;
    case k_says_checked:
      if (!check.confirming) continue;
      check.confirming = false; // the fresh process did the same as the first one
      if (check.prints_other) continue;
      check.restore_at_fault = true;
      status.isolation = IsolationMode::fork;
      snprintf(status.reason, sizeof status.reason,
               "a restore does not bring back all that the test changes");
      continue;
    case k_says_differs:
      if (!check.restored) stop_zygote(Finish::nondeterministic);
      check.confirming = true;
      continue;
    case k_says_again:
      continue;
    case k_says_too_large:
      status.isolation = IsolationMode::fork;
      snprintf(status.reason, sizeof status.reason, "there is too much memory to copy it back");
      continue;
    case k_says_more_threads:
      if (!more_donors())
        stop_zygote(Finish::unsupported, "the test has more threads at once than can be made");
      continue;
    case k_says_internal:
      if (status.finish == Finish::unsupported) stop_zygote(Finish::unsupported);
      stop_zygote(status.refused.load() != 0 ? Finish::stopped : Finish::error);
    default:
      // The worker was killed from outside, by hand or because memory is short. The next worker makes the
      // execution again.
      if (was_killed(wait_status) && deaths + 1 < k_deaths_without_progress) {
        status.restarted.fetch_add(1);
        break;
      }
      conclude_for(wait_status);
    }
    deaths = executions(control) == before ? deaths + 1 : 0;
    if (deaths == k_deaths_without_progress)
      stop_zygote(Finish::error, "workers die without making progress");
    if (control.failure.due && report_due()) return;
    if (control.config.keep_going != 0 && control.own.workers == 1 &&
        status.distinct_failures.load() >= control.config.keep_going)
      stop_zygote(Finish::failure_limit);
    if (status.stop.load() != 0) stop_zygote(Finish::stopped);
  }
}

} // namespace reex
