// The errors that a system call may end with on a machine that is short of something.
#pragma once

#include <cerrno>

#include <sys/syscall.h>

namespace reex::tool {

struct CallErrors {
  long call;
  const char* name;
  int errors[2]; // 0: no second
};

inline constexpr CallErrors k_call_errors[] = {
    {SYS_access, "access", {EIO, 0}},
    {SYS_chdir, "chdir", {EIO, 0}},
    {SYS_clone, "clone", {EAGAIN, ENOMEM}},
    {SYS_clone3, "clone3", {EAGAIN, ENOMEM}},
    {SYS_dup2, "dup2", {EMFILE, EINTR}},
    {SYS_dup3, "dup3", {EMFILE, EINTR}},
    {SYS_execve, "execve", {ENOMEM, EAGAIN}},
    {SYS_faccessat, "faccessat", {EIO, 0}},
    {SYS_fcntl, "fcntl", {EMFILE, 0}},
    {SYS_flock, "flock", {EINTR, ENOLCK}},
    {SYS_fork, "fork", {EAGAIN, ENOMEM}},
    {SYS_fstat, "fstat", {EIO, 0}},
    {SYS_fsync, "fsync", {EIO, ENOSPC}},
    {SYS_ftruncate, "ftruncate", {ENOSPC, EINTR}},
    {SYS_getcwd, "getcwd", {ENOENT, 0}},
    {SYS_getdents64, "getdents64", {EIO, 0}},
    {SYS_getrandom, "getrandom", {EINTR, ENOSYS}},
    {SYS_memfd_create, "memfd_create", {EMFILE, ENOMEM}},
    {SYS_mkdir, "mkdir", {ENOSPC, EIO}},
    {SYS_mmap, "mmap", {ENOMEM, 0}},
    {SYS_mprotect, "mprotect", {ENOMEM, 0}},
    {SYS_mremap, "mremap", {ENOMEM, 0}},
    {SYS_newfstatat, "newfstatat", {EIO, ENOMEM}},
    {SYS_open, "open", {EMFILE, EIO}},
    {SYS_openat, "openat", {EMFILE, EIO}},
    {SYS_personality, "personality", {EPERM, 0}},
    {SYS_pidfd_open, "pidfd_open", {EMFILE, 0}},
    {SYS_pipe2, "pipe2", {EMFILE, 0}},
    {SYS_poll, "poll", {EINTR, ENOMEM}},
    {SYS_pread64, "pread64", {EIO, EINTR}},
    {SYS_pwrite64, "pwrite64", {ENOSPC, EIO}},
    {SYS_read, "read", {EIO, EINTR}},
    {SYS_readlink, "readlink", {EIO, 0}},
    {SYS_rename, "rename", {ENOSPC, EIO}},
    {SYS_setpgid, "setpgid", {EPERM, 0}},
    {SYS_statfs, "statfs", {EIO, 0}},
    {SYS_unlink, "unlink", {EIO, 0}},
    {SYS_vfork, "vfork", {EAGAIN, ENOMEM}},
    {SYS_wait4, "wait4", {EINTR, 0}},
    {SYS_waitid, "waitid", {EINTR, 0}},
    {SYS_write, "write", {ENOSPC, EINTR}},
    {SYS_writev, "writev", {ENOSPC, EIO}},
};

} // namespace reex::tool
