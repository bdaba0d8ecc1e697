// Waits for child processes (outside.h says when reex notices the end of a child).
#include <sys/resource.h>
#include <sys/wait.h>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/descriptors/calls.h"
#include "reex/runtime/descriptors/channels.h"
#include "reex/runtime/descriptors/kept/descriptors.h"
#include "reex/runtime/descriptors/outside.h"
#include "reex/runtime/processes/early_children.h"
#include "reex/runtime/signals/signals.h"

namespace reex {
namespace {

constexpr unsigned k_looks_of_who_polls = 3; // a child that sleeps may do so for ever, and be asked often

struct Wanted {
  int kind; // kind of the id, as for waitid
  long id;
  int options;
};

Wanted wanted_by(const SystemCall& call) {
  const long* a = call.argument;
  if (call.number == SYS_waitid) return {static_cast<int>(a[0]), a[1], static_cast<int>(a[3])};
  const auto child = static_cast<pid_t>(a[0]);
  const int options = static_cast<int>(a[2]) | WEXITED;
  if (child > 0) return {P_PID, child, options};
  if (child == -1) return {P_ALL, 0, options};
  return {P_PGID, -child, options};
}

// Whether a child has something to report, or no such child exists.
bool is_there(const Wanted& wanted) {
  siginfo_t told{};
  const long answer =
      raw_syscall(SYS_waitid, wanted.kind, wanted.id, as_long(&told), wanted.options | WNOHANG | WNOWAIT, 0);
  return answer != 0 || told.si_pid != 0;
}

// Then no call finds a child, and there is nothing that a restore would have to take back.
bool is_childless() {
  siginfo_t told{};
  return g.in_place && !had_children() &&
         reex_kept_call(SYS_waitid, P_ALL, 0, as_long(&told), WEXITED | WNOHANG | WNOWAIT | __WALL, 0) ==
             -ECHILD;
}

// The call finds a child that was made before the first thread. It needs no kernel, and waits for nothing.
bool early_child_call(const SystemCall& call, const Wanted& wanted, long& answer) {
  if ((wanted.options & WEXITED) == 0 || early_child(wanted.kind, wanted.id) == nullptr) return false;
  visible_pending(Operation::child_wait, nullptr, call.pc, call.frame, k_never, 0);
  EarlyChild* const child = early_child(wanted.kind, wanted.id);
  if (child == nullptr) return false; // another thread has waited for it
  const bool is_wait4 = call.number == SYS_wait4;
  if (is_wait4) {
    if (auto* const status = reinterpret_cast<int*>(call.argument[1]); status != nullptr)
      *status = child->status;
  } else if (auto* const told = reinterpret_cast<siginfo_t*>(call.argument[2]); told != nullptr) {
    *told = child->told;
  }
  if (auto* const usage = reinterpret_cast<rusage*>(call.argument[is_wait4 ? 3 : 4]); usage != nullptr)
    *usage = child->usage;
  child->waited_for = (wanted.options & WNOWAIT) == 0;
  answer = is_wait4 ? child->told.si_pid : 0;
  note_read(nullptr, static_cast<std::uint64_t>(answer));
  return true;
}

} // namespace

bool child_ready(const Pending& pending) {
  return pending.value == 0 || is_there(*reinterpret_cast<const Wanted*>(pending.value & ~k_late));
}

bool child_call(const SystemCall& call, long& answer) {
  if (call.number != SYS_wait4 && call.number != SYS_waitid) return false;
  const Wanted wanted = wanted_by(call);
  if (early_child_call(call, wanted, answer)) return true;
  if (is_childless()) {
    visible_pending(Operation::child_wait, nullptr, call.pc, call.frame, k_never, 0);
    const long* a = call.argument;
    answer = reex_kept_call(call.number, a[0], a[1], a[2], a[3], a[4]);
    note_read(nullptr, static_cast<std::uint64_t>(answer));
    return true;
  }
  leave_restoring(call.number);
  const bool waits = (wanted.options & WNOHANG) == 0;
  const auto value = reinterpret_cast<std::uint64_t>(&wanted);
  const bool late =
      is_up_to_children([&] { return is_there(wanted); }, waits ? k_looks : k_looks_of_who_polls) && waits;
  visible_pending(Operation::child_wait, nullptr, call.pc, call.frame, k_never,
                  waits ? value | (late ? k_late : 0) : 0);
  while (waits && !is_there(wanted)) { // another thread has received the report
    g.current->pending.value = value | k_late;
    if (g.current->pending.interrupted) {
      answer = -EINTR;
      return true;
    }
    wait_until(Operation::child_wait, nullptr, k_never);
    testcancel_here();
  }
  answer = make(call);
  if (answer >= 0) process_ended();
  admit_signals(); // the SIGCHLD of this child has arrived
  if (answer == -ECHILD && had_children())
    give_up("the test waits for a child process that it made before its first thread; make it in a thread");
  note_read(nullptr, static_cast<std::uint64_t>(answer));
  return true;
}

} // namespace reex

using namespace reex;

REEX_EXPORT pid_t wait4(pid_t child, int* status, int options, rusage* usage) {
  return static_cast<pid_t>(
      REEX_CANCELLABLE_CALL(SYS_wait4, child, as_long(status), options, as_long(usage)));
}

REEX_EXPORT pid_t wait3(int* status, int options, rusage* usage) {
  return static_cast<pid_t>(REEX_CANCELLABLE_CALL(SYS_wait4, -1, as_long(status), options, as_long(usage)));
}

REEX_EXPORT pid_t waitpid(pid_t child, int* status, int options) {
  return static_cast<pid_t>(REEX_CANCELLABLE_CALL(SYS_wait4, child, as_long(status), options));
}

REEX_EXPORT pid_t wait(int* status) {
  return static_cast<pid_t>(REEX_CANCELLABLE_CALL(SYS_wait4, -1, as_long(status)));
}

REEX_EXPORT int waitid(idtype_t kind, id_t id, siginfo_t* told, int options) {
  return static_cast<int>(REEX_CANCELLABLE_CALL(SYS_waitid, kind, id, as_long(told), options));
}
