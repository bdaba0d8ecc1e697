// flock, and locks of open file descriptions by fcntl and lockf. They exclude threads that have each opened
// the file. (Locks of the process, F_SETLKW, never exclude its own threads.)
#include <cstdarg>
#include <fcntl.h>
#include <sys/file.h>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/descriptors/calls.h"
#include "reex/runtime/descriptors/channels.h"
#include "reex/runtime/order/happens_before.h"

namespace reex {
namespace {

// The number of locks released so far. A waiter tries again when it has changed. It is never reset, because
// each execution with file locks has a worker of its own.
std::uint64_t g_releases = 1;
const char g_all_locks = 0; // the object of the happens-before edges

bool waits_for_lock(const SystemCall& call) {
  if (call.number == SYS_flock) return (call.argument[1] & (LOCK_NB | LOCK_UN)) == 0;
  return call.number == SYS_fcntl && call.argument[1] == F_OFD_SETLKW;
}

bool releases_lock(const SystemCall& call) {
  if (call.number == SYS_flock) return (call.argument[1] & LOCK_UN) != 0;
  return call.number == SYS_fcntl && (call.argument[1] == F_OFD_SETLK || call.argument[1] == F_OFD_SETLKW) &&
         reinterpret_cast<const struct flock*>(call.argument[2])->l_type == F_UNLCK;
}

long try_lock(SystemCall call) {
  if (call.number == SYS_flock)
    call.argument[1] |= LOCK_NB;
  else
    call.argument[1] = F_OFD_SETLK;
  return make(call);
}

} // namespace

void file_locks_released() {
  ++g_releases;
  release_to(&g_all_locks);
}

bool file_lock_ready(const Pending& pending) { return pending.value != g_releases; }

bool lock_call(const SystemCall& call, long& answer) {
  const bool releases = releases_lock(call);
  if (!releases && !waits_for_lock(call)) return false;
  leave_restoring(call.number);
  void* label = label_of(static_cast<int>(call.argument[0]));
  visible(Operation::file_lock, label, call.pc, call.frame);
  if (releases) {
    answer = make(call);
    file_locks_released();
    return true;
  }
  while ((answer = try_lock(call)) == -EAGAIN) {
    g.current->pending.value = g_releases;
    wait_until(Operation::file_lock, label, k_never);
    testcancel_here();
    if (g.current->pending.interrupted) {
      answer = -EINTR;
      return true;
    }
  }
  if (answer == 0) acquire_from(&g_all_locks);
  return true;
}

} // namespace reex

using namespace reex;

REEX_EXPORT int flock(int descriptor, int operation) noexcept {
  return static_cast<int>(REEX_CALL(SYS_flock, descriptor, operation));
}

REEX_EXPORT int fcntl(int descriptor, int command, ...) {
  va_list list;
  va_start(list, command);
  const long argument = va_arg(list, long);
  va_end(list);
  if (command == F_SETLKW || command == F_OFD_SETLKW)
    return static_cast<int>(REEX_CANCELLABLE_CALL(SYS_fcntl, descriptor, command, argument));
  if (command == F_SETFL && (argument & O_ASYNC) != 0) refuse("O_ASYNC: signals for a descriptor");
  return static_cast<int>(REEX_CALL(SYS_fcntl, descriptor, command, argument));
}

REEX_EXPORT int fcntl64(int descriptor, int command, ...) __attribute__((alias("fcntl")));
