// The calls about signals; signals.cpp implements what they mean.
#include <cerrno>
#include <csetjmp>
#include <cstring>
#include <unistd.h>

#include "reex/runtime/core/enabled.h"
#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/environment/clock.h"
#include "reex/runtime/environment/process_id.h"
#include "reex/runtime/machine/libc.h"
#include "reex/runtime/order/buffers.h"
#include "reex/runtime/order/finding.h"
#include "reex/runtime/order/happens_before.h"
#include "reex/runtime/signals/signals.h"
#include "reex/runtime/signals/timers.h"

using namespace reex;

namespace {

constexpr int k_reserved_first = 32; // glibc uses these two itself
constexpr int k_reserved_last = 33;

bool is_usable(int number) {
  return is_signal(number) && (number < k_reserved_first || number > k_reserved_last);
}

int fail(int error) {
  errno = error;
  return -1;
}

// As much of a set as the kernel knows.
void reads_set(const sigset_t* set, void* pc) {
  will_read_buffer(set, pc);
  reads_buffer(set, sizeof(SignalSet), pc);
}
void writes_set(const sigset_t* set, void* pc) { writes_buffer(set, sizeof(SignalSet), pc); }

int change_action(int number, const struct sigaction* action, struct sigaction* before, void* pc,
                  void* frame) {
  if (!is_usable(number)) return fail(EINVAL);
  if (action != nullptr && (number == SIGKILL || number == SIGSTOP)) return fail(EINVAL);
  reads_object(action, pc);
  will_write_buffer(before, pc);
  if (action != nullptr) visible(Operation::signal_setup, object_of(number), pc, frame);
  const struct sigaction old = action_of(number);
  if (action != nullptr) release_to(&action_of(number)); // C++: [support.signal]
  if (action != nullptr && !set_action(number, *action)) return -1;
  if (action != nullptr) note_set_timers(pc);
  if (before != nullptr) *before = old;
  writes_object(before, pc);
  return 0;
}

sighandler_t change_handler(int number, sighandler_t handler, int flags, void* pc, void* frame) {
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  return change_action(number, &action, &before, pc, frame) == 0 ? before.sa_handler : SIG_ERR;
}

int change_mask(int how, const sigset_t* set, sigset_t* before, void* pc, void* frame) {
  reads_set(set, pc);
  will_write_buffer(before, pc);
  Personal& own = g.current->own;
  if (set != nullptr) {
    if (how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK) return EINVAL;
    const SignalSet asked = set_of(*set) & ~k_never_blocked;
    visible(Operation::signal_setup, nullptr, pc, frame);
    if (before != nullptr) store_set(*before, own.blocked);
    writes_set(before, pc);
    if (how == SIG_BLOCK) own.blocked |= asked;
    if (how == SIG_UNBLOCK) own.blocked &= ~asked;
    if (how == SIG_SETMASK) own.blocked = asked;
    note_set_timers(pc);
    if (g.forked_off) give_mask_to_kernel();
    deliver_own_signals();
  } else if (before != nullptr) {
    store_set(*before, own.blocked);
    writes_set(before, pc);
  }
  return 0;
}

// Sends to a thread of this process, or to the process (null). A number that is no signal's is sent to
// nobody. Returns whether that thread had ended by then.
bool send(Fiber* target, int number, const siginfo_t& details, void* pc, void* frame) {
  visible(Operation::signal_send, object_of(number), pc, frame);
  if (target != nullptr && target != g.current) report_async_target(*target); // the result tells
  const bool has_ended = target != nullptr && target->state == FiberState::finished;
  if (!is_usable(number)) return has_ended;
  release_to(&action_of(number));
  {
    Inside inside;
    send_signal(target, number, details);
  }
  if (is_told_by_descriptor(number)) sent_to_descriptor();
  deliver_own_signals();
  return has_ended;
}

bool is_reserved(int number) { return number >= k_reserved_first && number <= k_reserved_last; }

// `error_if_ended`: what glibc returns for a thread that has ended, whatever the signal.
int send_to_thread(pthread_t thread, int number, const siginfo_t& details, int error_if_ended, void* pc,
                   void* frame) {
  if (is_reserved(number)) return EINVAL;
  Fiber* target = fiber_named(thread, pc);
  if (target == nullptr) return ESRCH;
  if (number == 0 && error_if_ended == 0) return 0;
  const bool has_ended = send(target, number, details, pc, frame);
  if (has_ended) return error_if_ended;
  return number == 0 || is_usable(number) ? 0 : EINVAL;
}

// With the number that gettid gives; it may have ended.
Fiber* thread_of_kernel(pid_t number) {
  for (unsigned slot = 0; slot < g.fibers; ++slot)
    if (process_id() + g_fibers[slot].id == number) return &g_fibers[slot];
  return nullptr;
}

int send_to_process(pid_t process, int number, const siginfo_t& details, void* pc, void* frame) {
  const pid_t own = getpid();
  // reex is in the same process group: the test means itself.
  const bool self =
      process == own || process == 0 || process == -static_cast<pid_t>(raw_syscall(SYS_getpgid));
  if (!self) {
    const long result = details.si_code == SI_QUEUE
                            ? raw_syscall(SYS_rt_sigqueueinfo, process, number, as_long(&details))
                            : raw_syscall(SYS_kill, process, number);
    return result < 0 ? fail(static_cast<int>(-result)) : 0;
  }
  if (number == 0) return 0;
  if (!is_usable(number)) return fail(EINVAL);
  send(nullptr, number, details, pc, frame);
  return 0;
}

// Returns the number of the signal, or -1 with errno.
int wait_for(const sigset_t* set, siginfo_t* details, std::uint64_t deadline, void* pc, void* frame) {
  reads_set(set, pc);
  will_write_buffer(details, pc);
  Fiber& self = *g.current;
  self.own.waited = set_of(*set) & ~k_never_blocked;
  visible_pending(Operation::signal_wait, nullptr, pc, frame, deadline, 0);
  const SignalSet waited = self.own.waited;
  self.own.waited = 0;
  testcancel();
  siginfo_t taken;
  if (const int number = take_signal(self, waited, taken); number != 0) {
    if (details != nullptr) *details = taken;
    writes_object(details, pc);
    return number;
  }
  return fail(self.pending.interrupted ? EINTR : EAGAIN);
}

// Two points: a signal that comes between a test and pause() is lost; a signal that comes after the first
// point ends the pause.
int suspend(const SignalSet* mask, void* pc, void* frame) {
  Fiber& self = *g.current;
  visible(Operation::signal_suspend, nullptr, pc, frame);
  testcancel();
  const SignalSet before = self.own.blocked;
  if (mask != nullptr) self.own.blocked = *mask & ~k_never_blocked;
  const bool of_kernel = g.forked_off && is_alone() && !has_signal(self); // from other processes
  if (of_kernel) {
    const SignalSet meanwhile = self.own.blocked & ~k_needed;
    raw_syscall(SYS_rt_sigsuspend, as_long(&meanwhile), sizeof meanwhile);
  } else {
    wait_until(Operation::signal_sleep, nullptr, k_never);
  }
  self.own.blocked = before;
  testcancel();
  deliver_own_signals();
  return fail(EINTR);
}

} // namespace

namespace {

// Where the stack will be after the jump. glibc mangles the register on x86-64.
char* stack_pointer(const __jmp_buf& registers) {
  constexpr unsigned k_stack_pointer = 6;
  auto value = static_cast<unsigned long>(registers[k_stack_pointer]);
  asm("rorq $17, %0\n\txorq %%fs:0x30, %0" : "+r"(value));
  return reinterpret_cast<char*>(value);
}

// The jump leaves handlers, and with them the waits that they have interrupted.
void leave_waits(Fiber& self, const char* stack) {
  while (self.interrupted != nullptr && reinterpret_cast<const char*>(self.interrupted) < stack) {
    self.interrupted = self.interrupted->outer;
    self.own.waited = self.own.let_in = 0;
    self.own.at_point = false;
    self.condition = nullptr;
  }
}

} // namespace

#define CALLER REEX_CALLER, REEX_FRAME

// Actions

REEX_EXPORT int sigaction(int number, const struct sigaction* action, struct sigaction* before) noexcept {
  return change_action(number, action, before, CALLER);
}

REEX_EXPORT sighandler_t signal(int number, sighandler_t handler) noexcept {
  return change_handler(number, handler, SA_RESTART, CALLER);
}

REEX_EXPORT sighandler_t sysv_signal(int number, sighandler_t handler) noexcept {
  return change_handler(number, handler, static_cast<int>(SA_RESETHAND) | SA_NODEFER, CALLER);
}

REEX_EXPORT int siginterrupt(int number, int interrupts) noexcept {
  if (!is_usable(number)) return fail(EINVAL);
  struct sigaction action = action_of(number);
  action.sa_flags = interrupts != 0 ? action.sa_flags & ~SA_RESTART : action.sa_flags | SA_RESTART;
  return change_action(number, &action, nullptr, CALLER);
}

// Handlers run on the thread's own stack all the same.
REEX_EXPORT int sigaltstack(const stack_t* stack, stack_t* before) noexcept {
  constexpr int k_autodisarm = static_cast<int>(1u << 31); // SS_AUTODISARM
  constexpr std::size_t k_least = 2048;                    // the kernel's MINSIGSTKSZ
  Personal& own = g.current->own;
  const stack_t now = own.handler_stack;
  if (stack != nullptr) {
    const int mode = stack->ss_flags & ~k_autodisarm;
    if (mode != 0 && mode != SS_ONSTACK && mode != SS_DISABLE) return fail(EINVAL);
    if (mode != SS_DISABLE && stack->ss_size < k_least) return fail(ENOMEM);
    own.handler_stack = mode == SS_DISABLE ? stack_t{nullptr, SS_DISABLE, 0} : *stack;
    own.handler_stack.ss_flags &= ~SS_ONSTACK;
  }
  if (before != nullptr) *before = now;
  return 0;
}

// System V: SIG_HOLD blocks the signal; any other handler unblocks it.
REEX_EXPORT sighandler_t sigset(int number, sighandler_t handler) noexcept {
  if (!is_usable(number)) {
    errno = EINVAL;
    return SIG_ERR;
  }
  const bool was_blocked = (g.current->own.blocked & bit_of(number)) != 0;
  sighandler_t before = action_of(number).sa_handler;
  if (handler != SIG_HOLD) before = change_handler(number, handler, 0, CALLER);
  sigset_t set;
  store_set(set, bit_of(number));
  change_mask(handler == SIG_HOLD ? SIG_BLOCK : SIG_UNBLOCK, &set, nullptr, CALLER);
  return was_blocked ? SIG_HOLD : before;
}

// This would need a kernel that knows the signals.
REEX_EXPORT int pidfd_send_signal(int, int, siginfo_t*, unsigned) noexcept { refuse("pidfd_send_signal"); }

// Masks

REEX_EXPORT int pthread_sigmask(int how, const sigset_t* set, sigset_t* before) noexcept {
  return change_mask(how, set, before, CALLER);
}

REEX_EXPORT int sigprocmask(int how, const sigset_t* set, sigset_t* before) noexcept {
  const int error = change_mask(how, set, before, CALLER);
  return error == 0 ? 0 : fail(error);
}

REEX_EXPORT int sigblock(int mask) noexcept {
  sigset_t set, before;
  store_set(set, static_cast<unsigned>(mask));
  change_mask(SIG_BLOCK, &set, &before, CALLER);
  return static_cast<int>(set_of(before));
}

REEX_EXPORT int sigsetmask(int mask) noexcept {
  sigset_t set, before;
  store_set(set, static_cast<unsigned>(mask));
  change_mask(SIG_SETMASK, &set, &before, CALLER);
  return static_cast<int>(set_of(before));
}

REEX_EXPORT int siggetmask() noexcept { return static_cast<int>(g.current->own.blocked); }

REEX_EXPORT int sighold(int number) noexcept {
  if (!is_usable(number)) return fail(EINVAL);
  sigset_t set;
  store_set(set, bit_of(number));
  return change_mask(SIG_BLOCK, &set, nullptr, CALLER);
}

REEX_EXPORT int sigrelse(int number) noexcept {
  if (!is_usable(number)) return fail(EINVAL);
  sigset_t set;
  store_set(set, bit_of(number));
  return change_mask(SIG_UNBLOCK, &set, nullptr, CALLER);
}

REEX_EXPORT int sigignore(int number) noexcept {
  return change_handler(number, SIG_IGN, 0, CALLER) == SIG_ERR ? -1 : 0;
}

REEX_EXPORT int sigpending(sigset_t* set) noexcept {
  will_write_buffer(set, REEX_CALLER);
  REEX_POINT(Operation::signal_setup, nullptr);
  store_set(*set, pending_for(*g.current) & g.current->own.blocked);
  writes_set(set, REEX_CALLER);
  return 0;
}

// Sending

REEX_EXPORT int raise(int number) noexcept {
  if (!is_usable(number)) return fail(EINVAL);
  send(g.current, number, details_from_test(number, SI_TKILL), CALLER);
  return 0;
}

REEX_EXPORT int pthread_kill(pthread_t thread, int number) noexcept {
  return send_to_thread(thread, number, details_from_test(number, SI_TKILL), 0, CALLER);
}

REEX_EXPORT int pthread_sigqueue(pthread_t thread, int number, const sigval value) noexcept {
  siginfo_t details = details_from_test(number, SI_QUEUE);
  details.si_value = value;
  return send_to_thread(thread, number, details, ESRCH, CALLER);
}

REEX_EXPORT int kill(pid_t process, int number) noexcept {
  return send_to_process(process, number, details_from_test(number, SI_USER), CALLER);
}

REEX_EXPORT int killpg(pid_t group, int number) noexcept {
  return send_to_process(group == 0 ? 0 : -group, number, details_from_test(number, SI_USER), CALLER);
}

REEX_EXPORT int sigqueue(pid_t process, int number, const sigval value) noexcept {
  siginfo_t details = details_from_test(number, SI_QUEUE);
  details.si_value = value;
  return send_to_process(process, number, details, CALLER);
}

REEX_EXPORT int tgkill(pid_t process, pid_t thread, int number) noexcept {
  Fiber* const target = process == getpid() ? thread_of_kernel(thread) : nullptr;
  if (target == nullptr) return fail(ESRCH);
  if (number != 0 && !is_usable(number)) return fail(EINVAL);
  return send(target, number, details_from_test(number, SI_TKILL), CALLER) ? fail(ESRCH) : 0;
}

// Waiting

REEX_EXPORT int sigwait(const sigset_t* set, int* number) {
  will_write_buffer(number, REEX_CALLER);
  for (;;) { // a handler of another signal does not end the wait
    const int taken = wait_for(set, nullptr, k_never, CALLER);
    if (taken < 0) continue;
    *number = taken;
    writes_object(number, REEX_CALLER);
    return 0;
  }
}

REEX_EXPORT int sigwaitinfo(const sigset_t* set, siginfo_t* details) {
  return wait_for(set, details, k_never, CALLER);
}

REEX_EXPORT int sigtimedwait(const sigset_t* set, siginfo_t* details, const timespec* time) {
  reads_object(time, REEX_CALLER);
  if (time != nullptr && !is_duration(*time)) return fail(EINVAL);
  return wait_for(set, details, time == nullptr ? k_never : deadline_after(*time), CALLER);
}

REEX_EXPORT int sigsuspend(const sigset_t* set) {
  reads_set(set, REEX_CALLER);
  const SignalSet mask = set_of(*set);
  return suspend(&mask, CALLER);
}

REEX_EXPORT int __xpg_sigpause(int number) {
  if (!is_usable(number)) return fail(EINVAL);
  const SignalSet mask = g.current->own.blocked & ~bit_of(number);
  return suspend(&mask, CALLER);
}

REEX_EXPORT int __sigpause(int number_or_mask, int is_number) {
  const SignalSet mask = is_number != 0 ? g.current->own.blocked & ~bit_of(number_or_mask)
                                        : static_cast<unsigned>(number_or_mask);
  return suspend(&mask, CALLER);
}

// sigpause of BSD. The header calls POSIX's sigpause __xpg_sigpause.
extern "C" __attribute__((visibility("default"), used)) int reex_sigpause(int mask) asm("sigpause");
int reex_sigpause(int mask) {
  const SignalSet wanted = static_cast<unsigned>(mask);
  return suspend(&wanted, CALLER);
}

REEX_EXPORT int pause() { return suspend(nullptr, CALLER); }

// Jumps out of handlers. They restore the kernel's mask that was saved, which is empty.

REEX_EXPORT void siglongjmp(__jmp_buf_tag* target, int value) noexcept(false) {
  if (target->__mask_was_saved != 0) g.current->own.blocked = set_of(target->__saved_mask);
  leave_waits(*g.current, stack_pointer(target->__jmpbuf));
  libc().siglongjmp(target, value);
  __builtin_unreachable();
}
