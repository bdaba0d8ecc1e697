// flock, and locks of open file descriptions by fcntl and lockf. They exclude threads that have each opened
// the file. (Locks of the process, F_SETLKW, never exclude its own threads.)
#include <cstdarg>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/descriptors/calls.h"
#include "reex/runtime/descriptors/channels.h"
#include "reex/runtime/descriptors/kept/descriptors.h"
#include "reex/runtime/descriptors/outside.h"
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

bool file_lock_ready(const Pending& pending) {
  if (!is_late(pending)) return pending.value != g_releases;
  struct flock found = *reinterpret_cast<const struct flock*>(pending.value & ~k_late);
  raw_syscall(SYS_fcntl, descriptor_of(pending), F_GETLK, as_long(&found));
  return found.l_type == F_UNLCK;
}

namespace {

// The lock belongs to the process: only other processes can be in the way. If it is none that the test made,
// the whole process waits.
bool record_lock_call(const SystemCall& call, long& answer) {
  leave_restoring(call.number);
  void* label = label_of(static_cast<int>(call.argument[0]));
  visible(Operation::file_lock, label, call.pc, call.frame);
  SystemCall attempt = call;
  attempt.argument[1] = F_SETLK;
  while ((answer = make(attempt)) == -EAGAIN || answer == -EACCES) {
    if (had_children())
      give_up("the test waits for a lock of a file beside a child process that it made before its first "
              "thread; make it in a thread");
    if (children() == Children::none) {
      answer = make(call);
      break;
    }
    note_outside();
    g.current->pending.value = static_cast<std::uint64_t>(call.argument[2]) | k_late;
    wait_until(Operation::file_lock, label, k_never);
    testcancel_here();
    if (g.current->pending.interrupted) {
      answer = -EINTR;
      break;
    }
  }
  return true;
}

} // namespace

bool lock_call(const SystemCall& call, long& answer) {
  if (call.number == SYS_fcntl && call.argument[1] == F_SETLKW) return record_lock_call(call, answer);
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

// libc's makes the system call itself, which would hold up all threads.
REEX_EXPORT int lockf(int descriptor, int command, off_t size) {
  struct flock what {};
  what.l_type = static_cast<short>(command == F_ULOCK ? F_UNLCK : command == F_TEST ? F_RDLCK : F_WRLCK);
  what.l_whence = SEEK_CUR;
  what.l_len = size;
  switch (command) {
  case F_LOCK:
    return static_cast<int>(REEX_CANCELLABLE_CALL(SYS_fcntl, descriptor, F_SETLKW, as_long(&what)));
  case F_TLOCK:
  case F_ULOCK:
    return static_cast<int>(REEX_CALL(SYS_fcntl, descriptor, F_SETLK, as_long(&what)));
  case F_TEST: // locks of its own process are none
    if (REEX_CALL(SYS_fcntl, descriptor, F_GETLK, as_long(&what)) < 0) return -1;
    if (what.l_type == F_UNLCK) return 0;
    errno = EACCES;
    return -1;
  default:
    errno = EINVAL;
    return -1;
  }
}

REEX_EXPORT int lockf64(int descriptor, int command, off64_t size) {
  return lockf(descriptor, command, size);
}
