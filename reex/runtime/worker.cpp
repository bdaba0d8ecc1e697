#include "reex/runtime/worker.h"

#include <boost/context/detail/fcontext.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <linux/futex.h>
#include <new>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "reex/runtime/conclude.h"
#include "reex/runtime/donor.h"
#include "reex/runtime/execution.h"
#include "reex/runtime/exit.h"
#include "reex/runtime/failure.h"
#include "reex/runtime/filter.h"
#include "reex/runtime/keys.h"
#include "reex/runtime/libc.h"
#include "reex/runtime/log.h"
#include "reex/runtime/modules.h"
#include "reex/runtime/snapshot.h"

namespace reex {

using boost::context::detail::fcontext_t;
using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

namespace {

constexpr std::size_t k_controller_stack = 256 << 10;
constexpr unsigned k_first_donors = 8;
constexpr std::size_t k_most_copied = std::size_t{16}
                                      << 20; // docs/benchmarks.md: above, a copy costs as much as a fork
constexpr unsigned k_deaths_without_progress = 3;

// Exit statuses of a worker, for its zygote.
enum WorkerSays : int {
  k_says_finished = 0,
  k_says_next = 1, // the execution is concluded; another worker is to go on
  k_says_new_failure = 2,
  k_says_irreversible = 3,
  k_says_more_threads = 4,
  k_says_too_large = 5,
  k_says_internal = 70,
};

constexpr int k_forked_off_failed = 134; // as a shell shows an abort

enum class Mode : std::uint8_t { restore, once, detail };

alignas(16) char g_controller_stack[k_controller_stack]; // of the runtime's own data: no snapshot holds it
Mode g_mode = Mode::once;
fcontext_t g_main = nullptr;
int g_log = -1;

[[noreturn]] void leave(int status) {
  raw_syscall(SYS_exit_group, status);
  __builtin_unreachable();
}

bool finish(Finish why) {
  g.control->status.finish = why;
  return false;
}

// Readies the search for one more execution; false: the worker is done, `finish` says why.
bool prepare() {
  ControlBlock& control = *g.control;
  const Status& status = control.status;
  if (g_mode == Mode::detail) {
    memcpy(control.plan.list, control.saved.list, control.saved.count * sizeof(Choice));
    search().replay(control.saved.count);
    begin_trace();
    return true;
  }
  if (control.search.run.learning) { // an execution was thrown away
    search().again();
    return true;
  }
  if (status.stop.load(std::memory_order_relaxed) != 0) return finish(Finish::stopped);
  if (control.config.max_schedules != 0 &&
      status.schedules.load(std::memory_order_relaxed) >= control.config.max_schedules)
    return finish(Finish::schedule_limit);
  return search().next() || finish(Finish::complete);
}

void reset_runtime() {
  for (unsigned id = 1; id < g.fibers; ++id) g_fibers[id].state = FiberState::unused;
  Fiber& main = g_fibers[0];
  main.state = FiberState::live;
  main.creator = nullptr;
  main.ended = nullptr;
  main.spinning = false;
  main.spin_reads = 0;
  main.condition = nullptr;
  main.match_bits_known = false;
  main.shadow_top = g_shadow = g.main_shadow_top;
  g.current = &main;
  g.fibers = 1;
  g.live = 1;
  g.spinning = 0;
  g.now = g.start_time;
  g.step = 0;
  g.hash = 0;
  g.clock_reads = 0;
  g.exiting = -1;
  g_fuel = k_fuel;
  g.control->ending.end = End::running;
  rewind_output();
}

// The stack of every thread that is not the failing one.
void record_positions() {
  Trace& trace = g.control->trace;
  trace.threads = g.fibers;
  Fiber* const last = g.current;
  for (unsigned id = 0; id < g.fibers; ++id) {
    Fiber& fiber = g_fibers[id];
    if (&fiber == last) continue;
    if (fiber.state == FiberState::live)
      capture_stack(fiber);
    else
      trace.positions[id] = {
          .object = 0, .first_pc = 0, .depth = 0, .operation = Operation::none, .state = 3, .holder = -1};
  }
}

// The execution has ended; decides whether this worker makes another.
void after_execution() {
  Ending& ending = g.control->ending;
  if (ending.end == End::irreversible || ending.end == End::more_threads) {
    drop_log();
    leave(ending.end == End::irreversible ? k_says_irreversible : k_says_more_threads);
  }
  if (ending.end != End::exited) libc().fflush(nullptr); // what the test printed is part of how it ended
  if (g_mode == Mode::detail) {
    record_positions();
    keep_output();
    g.control->failure.replayed = ending;
    leave(k_says_next);
  }
  if (conclude() == Next::new_failure) leave(k_says_new_failure);
  if (ending.end == End::diverged) {
    finish(Finish::error);
    leave(k_says_internal);
  }
  // After a signal memory that is no part of the snapshot may be damaged.
  if (g_mode == Mode::once || ending.end == End::signalled) leave(k_says_next);
}

void controller(transfer_t from) {
  asm volatile(".cfi_undefined rip");
  g_main = from.fctx;
  if (g_mode == Mode::restore) {
    if (take_snapshot(reinterpret_cast<const char*>(g_main), k_most_copied) == 0) leave(k_says_too_large);
    if (!install_filter(g_log)) {
      snprintf(g.control->status.reason, sizeof g.control->status.reason,
               "the kernel has no system call filters");
      leave(k_says_irreversible);
    }
  }
  for (bool first = true;; first = false) {
    if (!prepare()) leave(k_says_finished);
    if (!first) {
      restore_snapshot();
      restore_donors();
      restore_keys();
      restore_handlers();
    }
    reset_runtime();
    jump_fcontext(g_main, nullptr);
    after_execution();
  }
}

// On the main fiber; returns there at the start of every execution.
void enter_worker(Mode mode) {
  g_mode = mode;
  g.detail = mode == Mode::detail;
  g.controlled = true;
  catch_signals();
  snapshot_donors();
  snapshot_keys();
  snapshot_handlers();
  g.start_time = g.now;
  g.main_shadow_top = g_shadow;
  const transfer_t back = jump_fcontext(
      make_fcontext(g_controller_stack + k_controller_stack, k_controller_stack, controller), nullptr);
  g.controller = back.fctx;
  g_visible_below = g.control->config.all_accesses ? k_fuel + 1 : 0;
  g.active = true;
}

void ring_doorbell() {
  Status& status = g.control->status;
  status.doorbell.fetch_add(1);
  raw_syscall(SYS_futex, as_long(&status.doorbell), FUTEX_WAKE, 1);
}

[[noreturn]] void stop_zygote(Finish why, const char* reason = nullptr) {
  Status& status = g.control->status;
  if (status.finish == Finish::none || why == Finish::error) status.finish = why;
  if (reason != nullptr) snprintf(status.reason, sizeof status.reason, "%s", reason);
  ring_doorbell();
  leave(0);
}

// In the zygote: forks a worker and waits for it. In the worker: returns true, on the main fiber, again and
// again.
bool run_worker(Mode mode, int& wait_status) {
  const pid_t zygote = static_cast<pid_t>(raw_syscall(SYS_getpid));
  const long pid = raw_syscall(SYS_fork);
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (raw_syscall(SYS_getppid) != zygote) leave(k_says_internal);
    enter_worker(mode);
    return true;
  }
  if (pid < 0) stop_zygote(Finish::error, "cannot fork a worker");
  g.control->status.worker_pid.store(static_cast<std::int32_t>(pid));
  while (raw_syscall(SYS_wait4, pid, as_long(&wait_status), 0, 0) < 0) {
  }
  g.control->status.worker_pid.store(0);
  return false;
}

// Hands the failure to the parent and waits until it has read it.
void hand_over_failure() {
  FailureSlot& slot = g.control->failure;
  slot.state.store(1);
  ring_doorbell();
  while (slot.state.load() != 0) raw_syscall(SYS_futex, as_long(&slot.state), FUTEX_WAIT, 1, 0);
}

// After an execution that needed more threads, or larger ones, than there were.
bool more_donors() {
  const unsigned before = usable_donors();
  require_stack(g.control->status.wanted_stack);
  const unsigned wanted = usable_donors() < before ? before : 2 * before;
  return donor_count() < k_max_donors && make_donors(donor_count() - usable_donors() + wanted);
}

// The worker died in the middle of an execution: that is how the execution ended.
bool conclude_for(int wait_status) {
  ControlBlock& control = *g.control;
  Ending& ending = control.ending;
  if (!control.search.run.learning) return false;
  const bool hung = control.status.killed_hung.exchange(0) != 0;
  ending = {};
  ending.end = hung ? End::watchdog : End::signalled;
  ending.value = WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0;
  ending.key = static_cast<std::uint64_t>(ending.value) + 1;
  snprintf(ending.message, sizeof ending.message,
           hung ? "no scheduling point was reached for too long" : "killed by signal %d", ending.value);
  return conclude() == Next::new_failure;
}

} // namespace

void become_zygote() {
  ControlBlock& control = *g.control;
  Status& status = control.status;
  g.active = false;
  find_modules();
  remember_output();
  if (const char* log = getenv(k_log_variable); log != nullptr) open_log(g_log = atoi(log));
  status.isolation =
      control.config.isolation == IsolationMode::fork ? IsolationMode::fork : IsolationMode::restore;
  if (!make_donors(k_first_donors)) stop_zygote(Finish::error, "the system refuses to create threads");
  status.ready = true;
  ring_doorbell();
  while (status.modules_known.load() == 0)
    raw_syscall(SYS_futex, as_long(&status.modules_known), FUTEX_WAIT, 0, 0);

  const auto detail = [&](int& wait_status) { return run_worker(Mode::detail, wait_status); };
  unsigned deaths = 0;
  for (;;) {
    int wait_status = 0;
    if (control.config.task == Task::replay) {
      control.failure.replayed = {};
      if (detail(wait_status)) return;
      if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == k_says_more_threads && more_donors())
        continue;
      stop_zygote(Finish::complete);
    }
    const std::uint64_t before = status.schedules.load();
    if (run_worker(status.isolation == IsolationMode::restore ? Mode::restore : Mode::once, wait_status))
      return;
    const int said = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : -1;
    bool new_failure = said == k_says_new_failure;
    switch (said) {
    case k_says_finished:
      stop_zygote(status.finish);
    case k_says_next:
    case k_says_new_failure:
      break;
    case k_says_irreversible:
      status.isolation = IsolationMode::fork;
      continue;
    case k_says_too_large:
      status.isolation = IsolationMode::fork;
      snprintf(status.reason, sizeof status.reason, "more than %zu MiB of memory would be copied",
               k_most_copied >> 20);
      continue;
    case k_says_more_threads:
      if (!more_donors()) stop_zygote(Finish::error, "the test has more threads at once than can be made");
      continue;
    case k_says_internal:
      stop_zygote(Finish::error);
    default:
      new_failure = conclude_for(wait_status);
    }
    deaths = status.schedules.load() == before ? deaths + 1 : 0;
    if (deaths == k_deaths_without_progress)
      stop_zygote(Finish::error, "workers die without making progress");
    if (new_failure) {
      control.failure.replayed = {};
      while (true) {
        if (detail(wait_status)) return;
        if (!(WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == k_says_more_threads && more_donors()))
          break;
      }
      hand_over_failure();
      if (control.config.keep_going != 0 && status.distinct_failures.load() >= control.config.keep_going)
        stop_zygote(Finish::failure_limit);
    }
    if (status.stop.load() != 0) stop_zygote(Finish::stopped);
  }
}

Search& search() {
  alignas(Search) static char storage[sizeof(Search)];
  static Search* made = nullptr;
  if (made == nullptr) {
    ControlBlock& control = *g.control;
    made = new (storage) Search(control.config.search, control.search, control.frontier, control.plan.list);
  }
  return *made;
}

void end_execution(End end, int value, const char* message) {
  g.active = false;
  if (g.forked_off) leave(end == End::exited ? value : k_forked_off_failed);
  Ending& ending = g.control->ending;
  ending.end = end;
  ending.value = value;
  ending.thread = g.current->id;
  snprintf(ending.message, sizeof ending.message, "%s", message == nullptr ? "" : message);
  if (!g.controlled)
    stop_zygote(Finish::error, message == nullptr ? "the test failed before its first thread" : message);
  ending.key = failure_key(ending);
  if (g.detail) record_position(*g.current);
  to_controller();
}

void throw_away(End end, const char* reason) {
  g.active = false;
  g.control->ending.end = end;
  snprintf(g.control->status.reason, sizeof g.control->status.reason, "%s", reason);
  if (g_mode == Mode::detail) leave(end == End::more_threads ? k_says_more_threads : k_says_internal);
  to_controller();
}

void internal_error(const char* what) {
  g.active = false;
  if (g.control != nullptr) {
    g.control->status.finish = Finish::error;
    snprintf(g.control->status.reason, sizeof g.control->status.reason,
             "internal error: %s (step %u, thread %d)", what, g.step,
             g.current == nullptr ? -1 : g.current->id);
  }
  leave(k_says_internal);
}

} // namespace reex
