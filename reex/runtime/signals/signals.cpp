#include "reex/runtime/signals/signals.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <unistd.h>

#include "reex/runtime/core/enabled.h"
#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/virtual_time.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/environment/faults.h"
#include "reex/runtime/environment/process_id.h"
#include "reex/runtime/machine/libc.h"
#include "reex/runtime/order/finding.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/runtime/order/happens_before.h"
#include "reex/runtime/order/time_ahead.h"
#include "reex/runtime/record/trace.h"
#include "reex/runtime/signals/interrupted_place.h"
#include "reex/runtime/signals/timers.h"
#include "reex/search/search.h"

namespace reex {
namespace {

constexpr int k_faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
constexpr SignalSet k_ignored_by_default =
    bit_of(SIGCHLD) | bit_of(SIGCONT) | bit_of(SIGURG) | bit_of(SIGWINCH);
constexpr SignalSet k_stops = bit_of(SIGSTOP) | bit_of(SIGTSTP) | bit_of(SIGTTIN) | bit_of(SIGTTOU);
constexpr std::uint16_t k_process = k_max_created;
constexpr int k_first_queued = 32; // all real-time signals, and those that glibc keeps for itself
constexpr unsigned k_queue = 256;

struct Sent {
  std::uint16_t target; // number of the thread, or k_process
  siginfo_t details;
};

struct State {
  struct sigaction actions[k_signals_end];
  SignalSet pending; // sent to the process
  unsigned sent_count;
  Sent sent[k_queue]; // in the order of sending; each standard signal at most once for a target
};

State g_state;
State g_snapshot;
Personal g_main_snapshot;
bool g_changed = false; // whether g_state differs from g_snapshot
constexpr std::size_t k_fault_count = sizeof k_faults / sizeof *k_faults;
struct sigaction g_fault_snapshot[k_fault_count]; // of the kernel
struct sigaction g_own_fault_action {};           // in place of the default one
bool g_faults_changed = false;
SignalSet g_arrived = 0; // signals that the kernel has sent and that are not pending yet

bool is_ignored(int number) {
  const auto handler = action_of(number).sa_handler;
  return handler == SIG_IGN || (handler == SIG_DFL && (k_ignored_by_default & bit_of(number)) != 0);
}

// As on Linux, the main thread receives it if it can take it. Which other thread receives it is a choice.
Fiber* receiver_in_process(int number) {
  if (can_take(g_fibers[0], number)) return &g_fibers[0];
  static std::uint16_t ids[k_max_threads]; // too large for the stack of a coroutine
  unsigned count = 0;
  for (const Fiber* fiber : alive())
    if (can_take(*fiber, number)) ids[count++] = fiber->id;
  return count == 0 ? nullptr : live_thread(ids[choose_among(ChoiceKind::wake, ids, count)]);
}

// The signal is for any thread that can take it, if main cannot (receiver_in_process).
void may_come_at_end(int number) {
  if (can_take(g_fibers[0], number)) return;
  for (unsigned slot = 1; slot < g.fibers; ++slot)
    if ((g_fibers[slot].own.blocked & bit_of(number)) == 0) report_async_target(g_fibers[slot]);
}

// Returns only in a process that the test forked, when it goes on after a stop.
void act_by_default(int number) {
  char message[96];
  const char* name = sigabbrev_np(number);
  const bool stops = (k_stops & bit_of(number)) != 0;
  Inside inside;
  snprintf(message, sizeof message, "SIG%s was sent, whose default action %s the process",
           name == nullptr ? "RT" : name, stops ? "stops" : "ends");
  if (g.controlled) end_execution(End::signalled, number, message);
  struct sigaction action {};
  libc().sigaction(number, &action, nullptr);
  raw_syscall(SYS_tgkill, raw_syscall(SYS_getpid), raw_syscall(SYS_gettid), number);
  if (!stops) raw_syscall(SYS_exit_group, 128 + number);
}

void queue(std::uint16_t target, int number, const siginfo_t& details) {
  if (number < k_first_queued)
    for (unsigned i = 0; i < g_state.sent_count; ++i)
      if (g_state.sent[i].target == target && g_state.sent[i].details.si_signo == number) return;
  if (g_state.sent_count == k_queue) refuse("more than 256 pending signals");
  g_state.sent[g_state.sent_count++] = {target, details};
}

// Removes the first signal with this number for the target. Returns whether there are more.
bool unqueue(std::uint16_t target, int number, siginfo_t& details) {
  details = {};
  details.si_signo = number;
  details.si_code = SI_KERNEL;
  unsigned kept = 0;
  bool found = false;
  bool more = false;
  for (unsigned i = 0; i < g_state.sent_count; ++i) {
    const Sent& sent = g_state.sent[i];
    const bool same = sent.target == target && sent.details.si_signo == number;
    if (same && !found) {
      details = sent.details;
      found = true;
      continue;
    }
    more = more || same;
    if (kept != i) g_state.sent[kept] = sent;
    ++kept;
  }
  g_state.sent_count = kept;
  return more;
}

// The handlers run right before a visible operation of the thread. Signals that others have sent may as well
// have come in the middle of what it did since the one before (order/race.h). A handler that was called by
// the thread itself has come in time, but that of another signal may have been interrupted by it.
void note_interrupted(InterruptedWait& interrupted) {
  const InterruptedWait* const outer = interrupted.outer;
  if (outer != nullptr && outer->first_clock != 0) {
    interrupted.first_clock = outer->first_clock;
    interrupted.last_clock = outer->last_clock;
  }
  if (interrupted.pending.operation == Operation::none) return;
  interrupted.last_clock = leave_clock();
  if (interrupted.first_clock == 0) interrupted.first_clock = interrupted.last_clock;
}

// The handler's operations are points like all others, if the process is a worker.
void run_handler(Fiber& self, int number, siginfo_t& details) {
  const struct sigaction action = action_of(number);
  if ((action.sa_flags & static_cast<int>(SA_RESETHAND)) != 0) {
    action_of(number).sa_handler = SIG_DFL;
    g_changed = true;
  }
  SignalSet blocked = self.own.blocked;
  self.own.blocked |= set_of(action.sa_mask) & ~k_never_blocked;
  if ((action.sa_flags & SA_NODEFER) == 0) self.own.blocked |= bit_of(number);
  const CancellationPoint none(false); // the handler's calls are their own
  if (has_signal(self)) { // the kernel makes a frame for each handler, and the last one runs first
    self.pending.operation = Operation::none;
    deliver_signals(self);
  }
  if ((action.sa_flags & SA_SIGINFO) != 0) {
    ucontext_t context;
    describe_interrupted_place(context);
    store_set(context.uc_sigmask, blocked);
    g.active = g.controlled;
    action.sa_sigaction(number, &details, &context);
    g.active = false;
    blocked = set_of(context.uc_sigmask) & ~k_never_blocked; // the kernel takes it from there
  } else {
    g.active = g.controlled;
    action.sa_handler(number);
    g.active = false;
  }
  self.own.blocked = blocked;
}

// Before the first thread there is nothing to choose: no step is counted.
void count_delivery(Fiber& self, int number) {
  if (!g.controlled) return;
  g.hash = g.hash * 31 + static_cast<unsigned>(number);
  fingerprint_fence();
  if (g_some_ahead) carry_ahead(Operation::signal_deliver, nullptr);
  self.pending.operation = Operation::signal_deliver;
  self.pending.object = object_of(number);
  if (g.detail) record_step(self);
  if (++g.step > g.step_limit) reach_step_limit();
}

// The word on which a thread sleeps still has the value that the thread gave.
bool futex_has_value(const Pending& sleep) {
  return __atomic_load_n(static_cast<const std::uint32_t*>(sleep.object), __ATOMIC_SEQ_CST) == sleep.expected;
}

// Decides how a wait continues after a handler. If a handler can end the wait, it may also have run right
// before the wait.
// `let_in`: the call's own mask has let the signal in, so it cannot have come before. Nor can it if time has
// passed while the thread waited.
void interrupt(Pending& waiting, bool restarts, bool let_in) {
  constexpr std::uint16_t k_outcomes[] = {0, 1}; // during the wait, before it
  switch (waiting.operation) {
  case Operation::futex_sleep:
    if (waiting.notified) return;
    if (restarts && waiting.deadline == k_never) { // the kernel looks at the word again
      waiting.interrupted = waiting.interrupted || !futex_has_value(waiting);
      return;
    }
    break;
  case Operation::semaphore_wait: // the kernel restarts no wait for a futex that has a deadline
  case Operation::channel_read:   // nor the call on a socket that has one
  case Operation::channel_write:
  case Operation::channel_accept:
  case Operation::channel_connect:
    if (restarts && waiting.deadline == k_never) return;
    break;
  case Operation::message_send:
  case Operation::message_receive:
  case Operation::child_wait:
  case Operation::file_lock:
    if (restarts) return;
    break;
  case Operation::sleep:
  case Operation::poll:
  case Operation::system_v:
  case Operation::signal_wait:
    break;
  case Operation::signal_sleep:
    waiting.interrupted = true;
    return;
  default:
    return; // these waits continue: conditions, locks, joins, barriers
  }
  waiting.interrupted =
      waiting.interrupted || let_in || waiting.slept || choose_among(ChoiceKind::option, k_outcomes, 2) == 0;
}

// SIGPIPE comes from a call of this thread, at the same step in every execution, and belongs to the thread.
// SIGCHLD may come at any time; it becomes pending at the operations that look at children (admit_signals).
void on_kernel_signal(int number) {
  if (is_ignored(number) && !is_told_by_descriptor(number)) return;
  __atomic_or_fetch(number == SIGPIPE ? &g.current->own.pending : &g_arrived, bit_of(number),
                    __ATOMIC_SEQ_CST);
}

// The action of SIGCHLD decides whether the kernel keeps ended children for a wait.
void tell_kernel_of_children() {
  const struct sigaction& own = action_of(SIGCHLD);
  struct sigaction action {};
  action.sa_handler = own.sa_handler == SIG_IGN ? SIG_IGN : g.controlled ? on_kernel_signal : SIG_DFL;
  action.sa_flags = SA_RESTART | (own.sa_flags & (SA_NOCLDWAIT | SA_NOCLDSTOP));
  libc().sigaction(SIGCHLD, &action, nullptr);
}

// The default action of a fault ends the execution, and not the worker.
bool set_own_or(int number, const struct sigaction& action) {
  g_faults_changed = true;
  const bool by_default = action.sa_handler == SIG_DFL && g.controlled && !g.forked_off;
  return set_fault_action(number, by_default ? g_own_fault_action : action) == 0;
}

} // namespace

SignalSet set_of(const sigset_t& set) { return set.__val[0]; }

void store_set(sigset_t& set, SignalSet value) {
  memset(&set, 0, sizeof set);
  set.__val[0] = value;
}

struct sigaction& action_of(int number) {
  return g_state.actions[number];
}

bool set_action(int number, const struct sigaction& action) {
  for (const int fault : k_faults)
    if (number == fault && !set_own_or(number, action)) return false;
  if (g.forked_off && libc().sigaction(number, &action, nullptr) != 0) return false;
  action_of(number) = action;
  if (number == SIGCHLD && !g.forked_off && !g.in_place) tell_kernel_of_children(); // there are none in place
  g_changed = true;
  if (is_ignored(number)) { // pending signals of this number are discarded
    siginfo_t details;
    for (Fiber* fiber : alive())
      while (take_signal(*fiber, bit_of(number), details) != 0) {
      }
  }
  return true;
}

siginfo_t details_from_test(int number, int code) {
  siginfo_t details{};
  details.si_signo = number;
  details.si_code = code;
  details.si_pid = process_id();
  details.si_uid = static_cast<uid_t>(raw_syscall(SYS_getuid));
  return details;
}

bool can_take(const Fiber& fiber, int number) {
  return fiber.state == FiberState::live &&
         ((fiber.own.blocked & bit_of(number)) == 0 || (fiber.own.waited & bit_of(number)) != 0);
}

void send_signal(Fiber* target, int number, const siginfo_t& details) {
  if (target == nullptr && !is_ignored(number)) may_come_at_end(number);
  if (target != nullptr && target->state != FiberState::live) return;
  if (g.forked_off && is_told_by_descriptor(number)) {
    raw_syscall(SYS_rt_sigqueueinfo, raw_syscall(SYS_getpid), number, as_long(&details));
    return;
  }
  Fiber* receiver = target != nullptr ? target : receiver_in_process(number);
  if (receiver != nullptr && can_take(*receiver, number) && (receiver->own.waited & bit_of(number)) == 0) {
    if (is_ignored(number)) return;
    if (action_of(number).sa_handler == SIG_DFL) {
      act_by_default(number);
      return;
    }
  }
  g_changed = true;
  told_by_descriptor(number);
  const bool by_other =
      details.si_code == SI_TKILL || details.si_code == SI_USER || details.si_code == SI_QUEUE;
  if (by_other && receiver != nullptr && receiver != g.current && !has_signal(*receiver)) {
    receiver->own.sent_at = g.step;
    receiver->own.is_sent = true;
  }
  queue(receiver == nullptr ? k_process : receiver->id, number, details);
  if (receiver == nullptr) {
    g_state.pending |= bit_of(number);
  } else {
    receiver->own.pending |= bit_of(number);
    end_spin(*receiver);
  }
}

bool timer_signal_is_pending(int timer) {
  for (unsigned i = 0; i < g_state.sent_count; ++i) {
    const siginfo_t& details = g_state.sent[i].details;
    if (details.si_code == SI_TIMER && details.si_timerid == timer) return true;
  }
  return false;
}

SignalSet pending_for(const Fiber& fiber) { return fiber.own.pending | g_state.pending; }

bool has_signal(const Fiber& fiber) {
  return (pending_for(fiber) & ~fiber.own.blocked & ~fiber.own.waited) != 0;
}

bool waits_for_sent(const Fiber& fiber) { return (pending_for(fiber) & fiber.own.waited) != 0; }

int take_signal(Fiber& fiber, SignalSet set, siginfo_t& details) {
  const SignalSet own = fiber.own.pending & set; // as in the kernel, these come before those of the process
  const SignalSet candidates = own != 0 ? own : pending_for(fiber) & set;
  if (candidates == 0) return 0;
  const int number = __builtin_ctzll(candidates) + 1;
  if (&fiber == g.current) acquire_from(&action_of(number));
  g_changed = true;
  if ((fiber.own.pending & bit_of(number)) != 0) {
    if (!unqueue(fiber.id, number, details)) fiber.own.pending &= ~bit_of(number);
  } else if (!unqueue(k_process, number, details)) {
    __atomic_and_fetch(&g_state.pending, ~bit_of(number), __ATOMIC_SEQ_CST);
  }
  return number;
}

namespace {

// The thread does not enter the kernel for it, which would deliver the signal.
bool stays_in_program(const Pending& pending) {
  switch (pending.operation) {
  case Operation::mutex_lock:
  case Operation::mutex_trylock:
  case Operation::mutex_unlock:
    return !pending.waited;
  default:
    return is_access(pending.operation);
  }
}

} // namespace

// If nobody else has done anything since the signal was sent, it might as well be sent later.
bool signals_are_late(Fiber& self) {
  constexpr std::uint16_t k_lateness[] = {0, 1, 2, 3, 4};
  Personal& own = self.own;
  if (own.is_sent) {
    own.is_sent = false;
    if (stays_in_program(self.pending) && g.step != own.sent_at)
      own.late = static_cast<std::uint8_t>(choose_among(ChoiceKind::late, k_lateness, std::size(k_lateness)));
  }
  if (own.late == 0 || !stays_in_program(self.pending)) return false;
  --own.late;
  return true;
}

void deliver_signals(Fiber& self) {
  self.own.is_sent = false;
  self.own.late = 0;
  // While the handlers run, the thread goes on waiting for a notification.
  InterruptedWait interrupted{self.pending, self.condition, self.interrupted};
  note_interrupted(interrupted);
  Pending& waiting = interrupted.pending;
  self.interrupted = &interrupted;
  const bool waits = !operation_enabled(self, false);
  while (has_signal(self)) {
    siginfo_t details;
    const int number = take_signal(self, ~self.own.blocked & ~self.own.waited, details);
    if (is_ignored(number)) continue;
    if (action_of(number).sa_handler == SIG_DFL) {
      act_by_default(number);
      continue;
    }
    const bool restarts = (action_of(number).sa_flags & SA_RESTART) != 0;
    const SignalSet waited = self.own.waited;
    const SignalSet let_in = self.own.let_in;
    self.own.waited = self.own.let_in = 0;
    count_delivery(self, number);
    run_handler(self, number, details);
    self.own.waited = waited;
    self.own.let_in = let_in;
    if (waits) interrupt(waiting, restarts, (let_in & bit_of(number)) != 0);
  }
  if (!waiting.notified && waiting.deadline <= g_time.now) waiting.timed_out = true;
  self.pending = waiting;
  self.condition = interrupted.condition;
  self.interrupted = interrupted.outer;
  self.match_bits_known = false;
}

void deliver_own_signals() {
  Fiber& self = *g.current;
  if (!has_signal(self)) return;
  Inside inside;
  self.pending.operation = Operation::none;
  deliver_signals(self);
}

void read_actions() {
  for (int number = 1; number < k_signals_end; ++number)
    libc().sigaction(number, nullptr, &action_of(number));
  SignalSet blocked = 0;
  raw_syscall(SYS_rt_sigprocmask, SIG_BLOCK, 0, as_long(&blocked), sizeof blocked);
  g_fibers[0].own.blocked = blocked;
  snprintf(g_fibers[0].own.name, sizeof g_fibers[0].own.name, "%s", program_invocation_short_name);
}

void forward_signals() {
  struct sigaction action {};
  action.sa_handler = on_kernel_signal;
  action.sa_flags = SA_RESTART;
  libc().sigaction(SIGPIPE, &action, nullptr);
  tell_kernel_of_children();
}

void watch_children() {
  struct sigaction action {};
  libc().sigaction(SIGCHLD, &action, nullptr);
}

void admit_signals() {
  const SignalSet arrived = __atomic_exchange_n(&g_arrived, 0, __ATOMIC_SEQ_CST);
  if (arrived != 0 && (!is_ignored(SIGCHLD) || is_told_by_descriptor(SIGCHLD))) g_state.pending |= arrived;
}

void hand_over_signals() {
  g_state.pending = g.current->own.pending = g_arrived = 0; // a child inherits none
  g_state.sent_count = 0;
  end_timers();
  for (int number = 1; number < k_signals_end; ++number)
    if (number != SIGKILL && number != SIGSTOP && number != SIGSYS)
      libc().sigaction(number, &action_of(number), nullptr);
  give_mask_to_kernel();
}

void give_mask_to_kernel() {
  const SignalSet blocked = g.current->own.blocked & ~k_needed;
  raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, as_long(&blocked), 0, sizeof blocked);
}

void catch_faults(const struct sigaction& action) {
  g_own_fault_action = action;
  for (const int number : k_faults)
    if (fault_action(number).sa_handler == SIG_DFL) set_fault_action(number, action);
}

void snapshot_signals() {
  g_snapshot = g_state;
  g_main_snapshot = g_fibers[0].own;
  g_changed = g_faults_changed = false;
  for (std::size_t i = 0; i < k_fault_count; ++i) g_fault_snapshot[i] = fault_action(k_faults[i]);
  snapshot_timers();
}

void restore_signals() {
  if (g_changed) g_state = g_snapshot;
  for (std::size_t i = 0; g_faults_changed && i < k_fault_count; ++i)
    set_fault_action(k_faults[i], g_fault_snapshot[i]);
  g_changed = g_faults_changed = false;
  g_fibers[0].own = g_main_snapshot;
  restore_timers();
}

} // namespace reex
