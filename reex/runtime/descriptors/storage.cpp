// Calls that wait until what was written is on the disk. What an execution does to files is undone when it
// ends, and every process sees what is written as soon as it is, so nothing is gained by the wait. It may
// take longer than all else that a test of a database does.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "reex/runtime/descriptors/calls.h"

namespace reex {
namespace {

bool is_open(long descriptor) {
  const long flags = raw_syscall(SYS_fcntl, descriptor, F_GETFL);
  return flags >= 0 && (flags & O_PATH) == 0;
}

bool is_of_file(long descriptor) {
  struct stat found;
  return raw_syscall(SYS_fstat, descriptor, as_long(&found)) == 0 &&
         (S_ISREG(found.st_mode) || S_ISDIR(found.st_mode));
}

} // namespace

// An error is the kernel's to tell.
bool storage_call(const SystemCall& call, long& answer) {
  const long* const a = call.argument;
  answer = 0;
  switch (call.number) {
  case SYS_sync:
    return true;
  case SYS_syncfs:
    return is_open(a[0]);
  case SYS_fsync:
  case SYS_fdatasync:
    return is_open(a[0]) && is_of_file(a[0]);
  case SYS_msync:
    if ((a[2] & (MS_SYNC | MS_ASYNC)) != MS_SYNC) return false;
    answer = raw_syscall(SYS_msync, a[0], a[1], (a[2] & ~MS_SYNC) | MS_ASYNC);
    return true;
  default:
    return false;
  }
}

} // namespace reex

using namespace reex;

REEX_EXPORT int fsync(int descriptor) {
  return static_cast<int>(REEX_CANCELLABLE_CALL(SYS_fsync, descriptor));
}

REEX_EXPORT int fdatasync(int descriptor) {
  return static_cast<int>(REEX_CANCELLABLE_CALL(SYS_fdatasync, descriptor));
}

REEX_EXPORT int msync(void* data, std::size_t size, int flags) {
  return static_cast<int>(REEX_CANCELLABLE_CALL(SYS_msync, as_long(data), static_cast<long>(size), flags));
}

REEX_EXPORT int syncfs(int descriptor) noexcept {
  return static_cast<int>(REEX_CALL(SYS_syncfs, descriptor));
}

REEX_EXPORT void sync() noexcept { REEX_CALL(SYS_sync); }
