// The failures of an execution: failed assertions, abort, uncaught exceptions, signals. The variables are
// scratch space of the execution that fails.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <linux/futex.h>
#include <sys/resource.h>
#include <typeinfo>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/running.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/environment/faults.h"
#include "reex/runtime/machine/libc.h"
#include "reex/runtime/record/trace.h"
#include "reex/runtime/signals/signals.h"
#include "reex/runtime/threads/donor.h"
#include "reex/runtime/worker/failure.h"
#include "reex/runtime/worker/worker.h"

// From libstdc++, if the test uses it.
extern "C" __attribute__((weak)) std::type_info* __cxa_current_exception_type();

namespace reex {
namespace {

char g_message[sizeof(Ending::message)];
volatile bool g_locating = false; // a walk of a hanging thread's stack is under way
constexpr std::size_t k_alternate_stack = 64 << 10;

const char* format(const char* text, const char* a, const char* b = "", const char* c = "",
                   unsigned number = 0) {
  Inside inside;
  snprintf(g_message, sizeof g_message, text, a, b, c, number);
  return g_message;
}

[[noreturn]] void aborted() {
  if (__cxa_current_exception_type != nullptr) {
    if (const std::type_info* type = __cxa_current_exception_type(); type != nullptr) {
      const char* name; // the ABI stores it behind the vtable pointer; name() would need libstdc++
      memcpy(&name, reinterpret_cast<const char*>(type) + sizeof(void*), sizeof name);
      end_execution(End::exception, 0,
                    format("uncaught exception of type %s%s%s", name[0] == '*' ? name + 1 : name));
    }
  }
  end_execution(End::aborted, 0, "abort() was called");
}

void restore_default(int number) {
  const struct sigaction action {};
  set_fault_action(number, action);
}

bool in_guard(const void* address) {
  for (const Fiber* fiber : alive()) {
    const Donor* of = fiber->donor;
    if (of != nullptr && address >= of->guard && address < of->stack_low) return true;
  }
  return false;
}

// Main's stack grows up to the limit with which the process was started, and nothing is mapped below.
bool below_main_stack(const void* address) {
  if (g.current->id != 0) return false;
  rlimit limit{};
  raw_syscall(SYS_getrlimit, RLIMIT_STACK, as_long(&limit));
  constexpr long k_arguments = 1 << 20; // lie above the stack, and count towards the limit
  constexpr long k_largest_frame = 16 << 20;
  if (limit.rlim_cur == RLIM_INFINITY) return false;
  const char* lowest = g_main_stack_end - static_cast<long>(limit.rlim_cur);
  return address >= lowest - k_largest_frame && address < lowest + k_arguments;
}

// A page of the memory that is shared with the parent found no room on the disk.
bool is_shared(const void* address) {
  const auto within = [&](const ControlBlock* block) {
    return address >= block && address < static_cast<const void*>(block + 1);
  };
  return within(g.control) || within(g.shared);
}

void on_signal(int number, siginfo_t* details, void*) {
  end_walk_at_fault();
  if (number == SIGBUS && is_shared(details->si_addr)) {
    g.control->status.finish = Finish::error;
    leave(k_says_internal);
  }
  if (!g.controlled) { // before the first thread: left to the test
    restore_default(number);
    raw_syscall(SYS_tkill, raw_syscall(SYS_gettid), number);
    return;
  }
  while (g_locating) { // the interrupted code cannot be unwound: not a failure of the test; the parent is
                       // about to kill us
  }
  g.active = false;
  if (number == SIGSEGV && (in_guard(details->si_addr) || below_main_stack(details->si_addr)))
    end_execution(End::signalled, number, "stack overflow");
  char address[32];
  snprintf(address, sizeof address, "%p", details->si_addr);
  const char* name = sigabbrev_np(number);
  const bool has_address = number == SIGSEGV || number == SIGBUS;
  end_execution(End::signalled, number,
                has_address ? format("SIG%s at address %s", name, address) : format("SIG%s", name));
}

// The parent is about to kill this worker, because it makes no progress.
void on_where(int, siginfo_t*, void*) {
  g_locating = true;
  note_stuck();
  g_locating = false;
  static std::uint32_t s_never = 0;
  for (;;) raw_syscall(SYS_futex, as_long(&s_never), FUTEX_WAIT, 0, 0);
}

} // namespace

void note_stuck() {
  Status& status = g.control->status;
  if (!g.controlled || status.hung.load() + status.step_limited.load() + status.memory_limited.load() != 0)
    return;
  status.stuck_thread = g.current->id;
  status.stuck_depth = walk_stack(status.stuck_stack, k_max_stack);
}

void catch_signals() {
  const long stack =
      raw_syscall(SYS_mmap, 0, k_alternate_stack, 3 /* read, write */, 0x21 /* shared, anonymous */, -1, 0);
  stack_t alternate{};
  alternate.ss_sp = reinterpret_cast<void*>(stack);
  alternate.ss_size = k_alternate_stack;
  raw_syscall(SYS_sigaltstack, as_long(&alternate), 0);
  struct sigaction action {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  catch_faults(action);
  if (fault_action(SIGABRT).sa_handler == SIG_DFL) set_fault_action(SIGABRT, action);
  forward_signals();
  struct sigaction where = action;
  where.sa_sigaction = on_where;
  where.sa_flags |= SA_RESTART;
  libc().sigaction(k_where_signal, &where, nullptr);
}

} // namespace reex

using namespace reex;

// abort and a failed assertion end the process. As before any end, other threads may run first.
REEX_EXPORT void abort() noexcept {
  REEX_POINT(Operation::process_exit, nullptr);
  if (const auto handler = action_of(SIGABRT).sa_handler; handler != SIG_DFL && handler != SIG_IGN)
    raise(SIGABRT); // the handler may leave by a jump
  if (g.controlled) aborted();
  restore_default(SIGABRT);
  raw_syscall(SYS_tkill, raw_syscall(SYS_gettid), SIGABRT);
  raw_syscall(SYS_exit_group, 134);
  __builtin_unreachable();
}

REEX_EXPORT void __assert_fail(const char* expression, const char* file, unsigned line,
                               const char* function) noexcept {
  REEX_POINT(Operation::process_exit, nullptr);
  const char* text = format("assertion `%s' failed in %s at %s:%u", expression,
                            function == nullptr ? "?" : function, file, line);
  raw_syscall(SYS_write, 2, as_long(text), static_cast<long>(strlen(text)));
  raw_syscall(SYS_write, 2, as_long("\n"), 1);
  if (g.controlled) end_execution(End::assertion, 0, text);
  abort();
}

// The default terminate handler of libstdc++ writes about the exception and aborts. That is one visible
// operation, not one for each of its writes.
extern "C" __attribute__((visibility("default"), used)) void
reex_verbose_terminate() asm("_ZN9__gnu_cxx27__verbose_terminate_handlerEv");
void reex_verbose_terminate() {
  REEX_POINT(Operation::process_exit, nullptr);
  g.active = false;
  if (libc().verbose_terminate != nullptr) libc().verbose_terminate();
  abort();
}
