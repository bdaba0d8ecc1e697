// The system calls that change what files there are, or open one for writing. The kernel asks the parent
// before a process of the test makes one (worker/file_watch.h, files/watch.h).
#pragma once

#include <sys/syscall.h>

#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif

namespace reex {

// With the argument that has the flags, of calls that open files.
inline constexpr int k_open_call = SYS_open;     // the second one
inline constexpr int k_openat_call = SYS_openat; // the third one

inline constexpr int k_file_calls[] = {
    SYS_creat,     SYS_openat2,  SYS_truncate,  SYS_unlink,    SYS_unlinkat,  SYS_rmdir,
    SYS_rename,    SYS_renameat, SYS_renameat2, SYS_link,      SYS_linkat,    SYS_symlink,
    SYS_symlinkat, SYS_mkdir,    SYS_mkdirat,   SYS_mknod,     SYS_mknodat,   SYS_chmod,
    SYS_fchmod,    SYS_fchmodat, SYS_fchmodat2, SYS_chown,     SYS_fchown,    SYS_lchown,
    SYS_fchownat,  SYS_utime,    SYS_utimes,    SYS_futimesat, SYS_utimensat, SYS_bind,
};

// What the runtime asks of the parent, as calls of unlinkat with this first argument and the request as the
// third one. The answer is 0.
inline constexpr int k_file_request = -0x72656578; // "reex"; no descriptor
enum class FileRequest : int {
  start = 1,    // the test is about to run: waits until it may, where others share the search
  begin = 2,    // the first thread is about to be created: from here on, executions begin
  put_back = 3, // an execution has ended: all is as it was at `begin`
  wait = 4,     // the same, and the process waits for executions of others, which may have to start first
};

} // namespace reex
