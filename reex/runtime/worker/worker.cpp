// The variables of this file belong to a worker: enter_worker sets them once, and no restore changes them.
#include "reex/runtime/worker/worker.h"

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
#include <utility>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/process.h"
#include "reex/runtime/core/running.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/virtual_time.h"
#include "reex/runtime/descriptors/kept/descriptors.h"
#include "reex/runtime/descriptors/kept/kept_descriptors.h"
#include "reex/runtime/descriptors/kept/record_locks.h"
#include "reex/runtime/descriptors/message_queues.h"
#include "reex/runtime/descriptors/signal_descriptors.h"
#include "reex/runtime/descriptors/timer_descriptors.h"
#include "reex/runtime/environment/file_points.h"
#include "reex/runtime/environment/file_watch.h"
#include "reex/runtime/environment/random.h"
#include "reex/runtime/environment/seen_files.h"
#include "reex/runtime/imunit/imunit.h"
#include "reex/runtime/machine/libc.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/memory/early_memory.h"
#include "reex/runtime/memory/heap.h"
#include "reex/runtime/memory/mapped_memory.h"
#include "reex/runtime/memory/private_mappings.h"
#include "reex/runtime/memory/shared_memory.h"
#include "reex/runtime/memory/snapshot.h"
#include "reex/runtime/order/dormant_code.h"
#include "reex/runtime/order/finding.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/runtime/order/new_code.h"
#include "reex/runtime/order/promoted.h"
#include "reex/runtime/order/race.h"
#include "reex/runtime/order/script.h"
#include "reex/runtime/order/shadow_memory.h"
#include "reex/runtime/order/time_ahead.h"
#include "reex/runtime/primitives/inline_futex.h"
#include "reex/runtime/primitives/named_semaphore.h"
#include "reex/runtime/primitives/stream_locks.h"
#include "reex/runtime/processes/early_children.h"
#include "reex/runtime/record/captured_output.h"
#include "reex/runtime/record/debugger.h"
#include "reex/runtime/record/events.h"
#include "reex/runtime/record/failure_key.h"
#include "reex/runtime/record/log.h"
#include "reex/runtime/record/operation_counts.h"
#include "reex/runtime/record/self_check.h"
#include "reex/runtime/record/trace.h"
#include "reex/runtime/record/unexplored.h"
#include "reex/runtime/schedule/circles.h"
#include "reex/runtime/schedule/foresight.h"
#include "reex/runtime/schedule/passing.h"
#include "reex/runtime/schedule/spin.h"
#include "reex/runtime/schedule/waits_in_vain.h"
#include "reex/runtime/signals/signals.h"
#include "reex/runtime/threads/donor.h"
#include "reex/runtime/threads/fiber.h"
#include "reex/runtime/threads/keys.h"
#include "reex/runtime/threads/scheduling.h"
#include "reex/runtime/worker/conclude.h"
#include "reex/runtime/worker/exit.h"
#include "reex/runtime/worker/failure.h"
#include "reex/runtime/worker/filter.h"
#include "reex/runtime/worker/patience.h"
#include "reex/runtime/worker/restore_check.h"
#include "reex/runtime/worker/step_limit.h"
#include "reex/runtime/worker/zygote.h"

namespace reex {

using boost::context::detail::fcontext_t;
using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

namespace {

constexpr std::size_t k_controller_stack = 256 << 10;

constexpr int k_forked_off_failed = 134; // exit status that a shell shows after an abort

alignas(16) char g_controller_stack[k_controller_stack]; // part of the runtime's own data, which is not in
                                                         // the snapshot
Mode g_mode = Mode::once;
fcontext_t g_main = nullptr;       // suspended while the controller runs
fcontext_t g_controller = nullptr; // suspended while an execution runs
Fiber g_main_at_start;             // main's state at the start of the worker
std::uint64_t g_start_time = 0;    // virtual time at the start of the worker
std::uint64_t g_start_idle = 0;    // of it, that in which main could not run
int g_log = -1;
bool g_lets_others_start = false; // it has waited for others before

bool finish(Finish why) {
  g.control->status.finish = why;
  return false;
}

// Prepares the search for one more execution. False: the worker is done, and `finish` says why.
bool prepare(bool after_restore) {
  ControlBlock& control = *g.control;
  const Status& status = control.status;
  if (g_mode == Mode::detail) {
    memcpy(control.plan.list, control.saved.list, control.saved.count * sizeof(Choice));
    search().replay(control.saved.count);
    begin_trace();
    begin_showing();
    return true;
  }
  const auto is_first = [&] { return control.check.state == CheckState::none; };
  if (control.own.run.learning) { // the execution was thrown away
    if (is_first()) begin_recording();
    search().again();
    return true;
  }
  if (status.stop.load(std::memory_order_relaxed) != 0) return finish(Finish::stopped);
  if (check_is_due()) {
    begin_check(after_restore);
    return true;
  }
  if (is_first()) begin_recording();
  for (;;) {
    switch (search().next(most_schedules())) {
    case Search::Next::schedule:
      control.own.waiting.store(0, std::memory_order_relaxed);
      if (!foresee(g_start_time, step_limit())) return true;
      control.status.followed.fetch_add(1, std::memory_order_relaxed);
      if (status.stop.load(std::memory_order_relaxed) != 0) return finish(Finish::stopped);
      break;
    case Search::Next::wait:
      if (!std::exchange(g_lets_others_start, true)) put_files_back_and_wait();
      control.own.waiting.store(1, std::memory_order_relaxed);
      if (status.stop.load(std::memory_order_relaxed) != 0) return finish(Finish::stopped);
      give_way();
      break;
    case Search::Next::nothing:
      return finish(Finish::complete);
    case Search::Next::limit:
      return finish(Finish::schedule_limit);
    case Search::Next::round_over:
      begin_round();
      [[fallthrough]];
    case Search::Next::outdated:
      leave(k_says_outdated);
    }
  }
}

void reset_runtime() {
  Fiber& main = g_fibers[0];
  main = g_main_at_start;
  g_shadow_top = main.shadow_top;
  g_wrote = main.wrote;
  use_stack_of(main);
  g.current = &main;
  begin_threads();
  begin_spins();
  begin_limit();
  begin_circles();
  g.code_entered = g_code_is_entered;
  put_code_to_sleep();
  g.loop_operations = 0;
  g.goer = -1;
  g.spun = false;
  g.connecting = false;
  g.ranked = has_rank(main.own.scheduling);
  g.unrest = g.unrest_at_sum = 0;
  g_time.now = g_start_time;
  g_time.idle = g_start_idle;
  begin_slices(patience());
  g.step = 0;
  g.step_limit = step_limit();
  g.hash = 0;
  g.exiting = -1;
  refuel(k_fuel);
  begin_imunit();
  begin_watching();
  begin_fingerprint();
  begin_time_ahead();
  g.control->ending.end = End::running;
  g.control->ending.steps = g.control->ending.limit = 0;
  g.control->ending.times_passed = 0;
  g.control->ending.patience = g_patience;
  g.control->ending.loop_cut = g.control->ending.frame_raced = false;
  g.control->unpromoted.count = 0;
  begin_counting();
  rewind_output();
  rewind_random();
  begin_seeing_files();
  begin_file_points(has_files_open_for_writing());
}

// Records the stacks of all threads except the failing one.
void record_positions() {
  Trace& trace = g.control->trace;
  trace.threads = g.fibers;
  Fiber* const last = g.current;
  for (unsigned slot = 0; slot < g.fibers; ++slot) {
    Fiber& fiber = g_fibers[slot];
    if (&fiber == last) continue;
    if (fiber.state == FiberState::live)
      capture_stack(fiber);
    else
      trace.positions[slot] = {.object = 0,
                               .first_pc = 0,
                               .thread = fiber.id,
                               .depth = 0,
                               .operation = Operation::none,
                               .state = 3,
                               .holder = -1};
  }
}

WorkerSays says_thrown_away(End end) {
  switch (end) {
  case End::irreversible:
    return k_says_irreversible;
  case End::more_threads:
    return k_says_more_threads;
  case End::impatient:
    return k_says_again;
  default:
    return k_says_finished;
  }
}

// The execution has ended. Decides whether this worker makes another one.
void after_execution() {
  Ending& ending = g.control->ending;
  if (const WorkerSays said = says_thrown_away(ending.end); said != k_says_finished) {
    g.control->status.points.fetch_sub(std::min<std::uint64_t>(g.step, g.control->status.points.load()));
    drop_log();
    leave(said);
  }
  if (g_code_comes && ending.end != End::signalled) take_in_code();
  unlock_streams();
  if (ending.end != End::exited) libc().fflush(nullptr); // what the test has printed is part of the outcome
  if (g_mode == Mode::detail) {
    record_positions();
    store_output();
    g.control->failure.replayed = ending;
    leave(k_says_next);
  }
  const bool restores = g_mode == Mode::restore && ending.end != End::signalled;
  if (const Checked checked = end_check(restores); checked != Checked::not_running) {
    drop_log();
    if (checked == Checked::differs) leave(k_says_differs);
    if (!restores) leave(k_says_checked);
    return;
  }
  // Another process acted at another time than before: this schedule is given up, as one that is cut short.
  // Or it was not what the foresight had seen.
  const bool misled =
      (ending.end == End::diverged && search().is_followed()) || !foresight_held(ending.end == End::pruned);
  if (misled) distrust_script();
  const bool lost = misled || (ending.end == End::diverged && waited_outside());
  if (lost || ending.end == End::pruned) {
    drop_log();
    if (conclude_pruned() == Next::report) leave(k_says_report);
    if (g_mode == Mode::once || g_execution == k_last_execution) leave(k_says_next);
    return;
  }
  end_recording();
  if (conclude() == Next::report) leave(k_says_report);
  if (ending.end == End::diverged) {
    finish(Finish::error);
    leave(k_says_internal);
  }
  // After a signal, memory outside the snapshot may be damaged.
  if (g_mode == Mode::once || ending.end == End::signalled || g_execution == k_last_execution)
    leave(k_says_next);
}

void controller(transfer_t from) {
  asm volatile(".cfi_undefined rip");
  g_main = from.fctx;
  if (g_mode == Mode::restore) {
    prepare_restore_check();
    take_record_locks();
    rewind_files(); // earlier workers may have moved them
    prepare_renewals();
    if (!take_snapshot(reinterpret_cast<const char*>(g_main), shared_memory_size())) leave(k_says_too_large);
    if (!install_filter(g_log)) {
      snprintf(g.control->status.reason, sizeof g.control->status.reason,
               "the kernel has no system call filters");
      leave(k_says_irreversible);
    }
  }
  bool first_restore = true;
  for (bool first = true;; first = false) {
    if (!prepare(!first)) leave(k_says_finished);
    prepare_events();
    if (first && !g.in_place) {
      renew_descriptors(); // an execution follows for certain: this cuts back files
      take_record_locks();
    }
    if (!first) {
      drop_mappings();
      drop_private_mappings();
      restore_early_memory();
      restore_descriptors();
      if (has_changed_files() || (first_restore && g.control->own.workers > 1)) put_files_back();
      first_restore = false;
      restore_shared_memory(); // private mappings of the same files show it
      restore_snapshot();
      restore_donors();
      restore_keys();
      restore_handlers();
      restore_signals();
      restore_named_semaphores();
      restore_stream_locks();
      forget_early_waits();
      restore_message_queues();
    }
    reset_runtime();
    check_restore();
    jump_fcontext(g_main, nullptr);
    after_execution();
  }
}

} // namespace

namespace {

[[noreturn]] void to_controller() {
  g.active = false;
  if (g_controller == nullptr) internal_error(g.control->ending.message); // a fault of the worker itself
  write_fs(g_fibers[0].fs);
  jump_fcontext(g_controller, nullptr);
  __builtin_unreachable();
}

} // namespace

void give_way() { raw_syscall(SYS_sched_yield); }

void leave(int status) {
  if (!g.forked_off && g.control != nullptr) g.control->status.worker_left = true;
  raw_syscall(SYS_exit_group, status);
  __builtin_unreachable();
}

void give_up(const char* reason) {
  if (g.beyond_limit) end_at_limit();
  g.control->status.finish = Finish::unsupported;
  snprintf(g.control->status.reason, sizeof g.control->status.reason, "%s", reason);
  leave(k_says_internal);
}

void enter_worker(Mode mode, int log_descriptor) {
  g_log = log_descriptor;
  g_mode = mode;
  g.recorded = g.detail = mode == Mode::detail;
  g.in_place = mode == Mode::restore;
  g.controlled = true;
  catch_signals();
  restore_shared_memory();
  catch_inline_futexes();
  snapshot_donors();
  snapshot_keys();
  snapshot_handlers();
  prepare_shadow_memory();
  divide_heap(g.control->config.memory_limit);
  {
    const Locked locked(search().lock(), g.control->own.index);
    g.control->own.round = g.shared->search.round;
    // A failure is executed again as it was, even if other workers have found more races since.
    const bool reports = mode == Mode::detail && g.control->config.task != Task::replay;
    load_promoted(reports ? g.control->failure.promoted : g.shared->promoted.count);
  }
  snapshot_signals();
  make_room_for_named_semaphores();
  restore_named_semaphores();
  snapshot_stream_locks();
  snapshot_imunit();
  snapshot_message_queues();
  snapshot_timer_descriptors();
  snapshot_signal_descriptors();
  g_start_time = g_time.now;
  g_start_idle = g_time.idle;
  g_main_at_start = g_fibers[0];
  g_main_at_start.shadow_top = g_shadow_top;
  g_main_at_start.wrote = false;
  const transfer_t back = jump_fcontext(
      make_fcontext(g_controller_stack + k_controller_stack, k_controller_stack, controller), nullptr);
  g_controller = back.fctx;
  g_stopped_below = g_visible_below = g.control->config.accesses == VisibleAccesses::all ? k_fuel + 1 : 0;
  g.active = true;
}

Search& search() {
  alignas(Search) static char storage[sizeof(Search)];
  static Search* made = nullptr;
  if (made == nullptr) {
    ControlBlock& control = *g.control;
    made = new (storage) Search(control.config.search, g.shared->search, g.shared->frontier, control.own,
                                control.frontier, control.plan.list);
  }
  return *made;
}

void end_execution(End end, int value, const char* message) {
  if (g.beyond_limit && end != End::livelock) end_at_limit();
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
  if (end == End::step_limit || end == End::memory_limit) note_stuck();
  if (g.detail) stop_for_debugger();
  if (g.detail) record_position(*g.current);
  to_controller();
}

void throw_away(End end, const char* reason) {
  if (g.beyond_limit) end_at_limit();
  g.active = false;
  g.control->ending.end = end;
  snprintf(g.control->status.reason, sizeof g.control->status.reason, "%s", reason);
  if (g_mode == Mode::detail) leave(end == End::more_threads ? k_says_more_threads : k_says_internal);
  to_controller();
}

void refuse(const char* what) {
  if (g.beyond_limit) end_at_limit();
  g.active = false;
  Status& status = g.control->status;
  if (status.refused.exchange(1) == 0)
    snprintf(status.refusal, sizeof status.refusal, "the test uses %s, which reex does not support", what);
  status.stop.store(1);
  if (g.forked_off) leave(k_forked_off_failed);
  if (!g.controlled) stop_zygote(Finish::stopped);
  leave(k_says_internal);
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
