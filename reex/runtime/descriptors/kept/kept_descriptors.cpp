// The variables of this file belong to one execution: restore_descriptors sets them back.
#include "reex/runtime/descriptors/kept/kept_descriptors.h"

#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <termios.h>
#include <unistd.h>

#include "reex/runtime/descriptors/channels.h"
#include "reex/runtime/descriptors/kept/descriptors.h"
#include "reex/runtime/descriptors/kept/kept_table.h"
#include "reex/runtime/descriptors/kept/record_locks.h"
#include "reex/runtime/descriptors/signal_descriptors.h"
#include "reex/runtime/descriptors/timer_descriptors.h"
#include "reex/runtime/environment/file_watch.h"
#include "reex/runtime/environment/seen_files.h"
#include "reex/runtime/machine/kept_call.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/record/captured_output.h"

namespace reex {
namespace {

constexpr int k_most = k_lowest_own;

Kept g_kept[k_most];
int g_end = 0;             // descriptors from here on are not kept
bool g_moved = false;      // a file from before the first thread may be at another position
bool g_lost_output[2];     // what leads to descriptor 1 or 2 is not the output any more
bool g_used_early = false; // a channel from before the first thread may be in another state

struct Closed {
  int number;
  int copy; // of the descriptor
  bool close_on_exec;
};
constexpr unsigned k_most_closed = 32;
Closed g_closed[k_most_closed]; // files from before the first thread that the execution has closed
unsigned g_closed_count = 0;

bool was_closed(long descriptor) {
  for (unsigned i = 0; i < g_closed_count; ++i)
    if (g_closed[i].number == descriptor) return true;
  return false;
}

// A regular file from before the first thread that is still open.
bool is_early(long descriptor) {
  return is_open_file(static_cast<int>(descriptor)) && !was_closed(descriptor);
}

// What opening leaves no trace of.
constexpr int k_quiet_flags = O_CLOEXEC | O_DIRECTORY | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK | O_PATH |
                              O_LARGEFILE | 0100000 /* the kernel's O_LARGEFILE */;

bool is_memory_device(const struct stat& status) {
  constexpr unsigned k_memory = 1, k_null = 3, k_zero = 5; // admin-guide/devices.txt of Linux
  return S_ISCHR(status.st_mode) && major(status.st_rdev) == k_memory &&
         (minor(status.st_rdev) == k_null || minor(status.st_rdev) == k_zero);
}

// What opening may do to a regular file, if the parent puts it back.
constexpr int k_changing_flags =
    O_ACCMODE | O_CREAT | O_EXCL | O_TRUNC | O_APPEND | O_SYNC | O_DSYNC | O_NOATIME;

// A file without a name belongs to the execution alone, as one in memory does.
bool open_nameless(long folder, long path, long flags, long mode, long& answer) {
  if ((flags & ~(k_quiet_flags | k_changing_flags | O_TMPFILE)) != 0 || has_record_locks()) return false;
  answer = reex_kept_call(SYS_openat, folder, path, flags, mode);
  return keep(answer, Kept::written);
}

bool open_kept(long folder, long path, long flags, long mode, long& answer) {
  if ((flags & O_TMPFILE) == O_TMPFILE) return open_nameless(folder, path, flags, mode, answer);
  struct stat status {};
  const long looked = raw_syscall(SYS_newfstatat, folder, path, as_long(&status),
                                  (flags & O_NOFOLLOW) != 0 ? AT_SYMLINK_NOFOLLOW : 0);
  const bool device = looked == 0 && is_memory_device(status);
  const bool changes = !device && (flags & (O_ACCMODE | O_CREAT | O_TRUNC)) != 0;
  const bool undone =
      changes && files_are_watched() && (looked == 0 ? S_ISREG(status.st_mode) : looked == -ENOENT);
  const long harmless = device   ? k_quiet_flags | O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND
                        : undone ? k_quiet_flags | k_changing_flags
                                 : k_quiet_flags;
  if ((flags & ~harmless) != 0 || has_record_locks()) return false;
  // Opening a pipe or a device tells others.
  if (looked == 0 && !device && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode) &&
      !S_ISLNK(status.st_mode))
    return false;
  if (changes) note_changed_files();
  answer = reex_kept_call(SYS_openat, folder, path, flags, mode);
  return keep(answer, device || changes ? Kept::written : Kept::read);
}

// Of a channel, unseen by the hooks, as stdio does: what need not wait.
bool transfer_unseen(long number, const long* a, long& answer) {
  const auto descriptor = static_cast<int>(a[0]);
  const long flags = reex_kept_call(SYS_fcntl, descriptor, F_GETFL);
  const WithoutWaiting now(descriptor, flags);
  answer = reex_kept_call(number, a[0], a[1], a[2]);
  return answer != -EAGAIN || (flags & O_NONBLOCK) != 0;
}

// Writes to a descriptor. What goes to a file from before the first thread is put back by the parent.
bool write_kept(long number, const long* a, long& answer) {
  if ((number == SYS_write || number == SYS_writev) && is_kept_channel(a[0]))
    return transfer_unseen(number, a, answer);
  if (kept(a[0]) != Kept::written) {
    if (kept(a[0]) != Kept::no || !files_are_watched() || !is_early(a[0])) return false;
    g_moved = true;
    note_changed_files();
  }
  answer = reex_kept_call(number, a[0], a[1], a[2], a[3], a[4]);
  return true;
}

// What the call does to files is put back by the parent.
bool change_kept(long number, const long* a, long& answer) {
  if (!files_are_watched()) return false;
  note_changed_files();
  answer = reex_kept_call(number, a[0], a[1], a[2], a[3], a[4]);
  return true;
}

// A restore opens it again: a copy of the descriptor has the same position and flags.
bool close_early(long descriptor, bool close_on_exec, long& answer) {
  if (g_closed_count == k_most_closed || has_record_locks()) return false;
  const long copy = reex_kept_call(SYS_fcntl, descriptor, F_DUPFD_CLOEXEC, k_most);
  if (copy < 0) return false;
  g_closed[g_closed_count++] = {static_cast<int>(descriptor), static_cast<int>(copy), close_on_exec};
  answer = reex_kept_call(SYS_close, descriptor);
  return true;
}

bool close_kept(long descriptor, long& answer) {
  if (kept(descriptor) == Kept::no) {
    answer = reex_kept_call(SYS_fcntl, descriptor, F_GETFD);
    if (answer < 0) return true; // there is nothing to close
    if (is_early(descriptor)) return close_early(descriptor, (answer & FD_CLOEXEC) != 0, answer);
    if (is_output(descriptor))
      lose_output(descriptor);
    else if (!is_kept_channel(descriptor))
      return false;
    answer = reex_kept_call(SYS_close, descriptor);
    return true;
  }
  g_kept[descriptor] = Kept::no;
  answer = reex_kept_call(SYS_close, descriptor);
  return true;
}

bool read_kept(long number, const long* a, long& answer) {
  if (is_kept_channel(a[0])) return transfer_unseen(number, a, answer);
  if (kept(a[0]) == Kept::no) {
    if (!is_early(a[0])) return false;
    g_moved = true;
  }
  answer = reex_kept_call(number, a[0], a[1], a[2]);
  return true;
}

bool copy_kept(long number, const long* a, long& answer) {
  const Kept how = kept_as_copy(a[0]);
  if (how == Kept::no) return false;
  answer = reex_kept_call(number, a[0], a[1], a[2]);
  return keep(answer, how);
}

bool control_kept(const long* a, long& answer) {
  switch (static_cast<int>(a[1])) {
  case F_GETFD:
  case F_GETFL:
    break;
  case F_SETFL:
    if ((a[2] & O_ASYNC) != 0) return false;
    [[fallthrough]];
  case F_SETFD:
    if (kept(a[0]) == Kept::no && !is_kept_channel(a[0])) return false;
    break;
  case F_GETPIPE_SZ:
  case F_SETPIPE_SZ:
    if (!is_kept_channel(a[0])) return false;
    break;
  case F_DUPFD:
  case F_DUPFD_CLOEXEC:
    return copy_kept(SYS_fcntl, a, answer);
  default:
    return false;
  }
  answer = reex_kept_call(SYS_fcntl, a[0], a[1], a[2]);
  return true;
}

bool ioctl_kept(const long* a, long& answer) {
  switch (a[1]) {
  case TCGETS:
    break;
  case FIONREAD:
  case FIONBIO:
  case FIOCLEX:
  case FIONCLEX:
    if (kept(a[0]) == Kept::no && !is_kept_channel(a[0])) return false;
    break;
  default:
    return false;
  }
  answer = reex_kept_call(SYS_ioctl, a[0], a[1], a[2]);
  return true;
}

bool make_call(long number, const long* a, long& answer) {
  switch (number) {
  case SYS_open:
    return open_kept(AT_FDCWD, a[0], a[1], a[2], answer);
  case SYS_openat:
    return open_kept(a[0], a[1], a[2], a[3], answer);
  case SYS_creat:
    return open_kept(AT_FDCWD, a[0], O_CREAT | O_WRONLY | O_TRUNC, a[1], answer);
  case SYS_memfd_create:
    answer = reex_kept_call(SYS_memfd_create, a[0], a[1]);
    return keep(answer, Kept::written);
  case SYS_close:
    return close_kept(a[0], answer);
  case SYS_read:
  case SYS_readv:
  case SYS_lseek:
    return read_kept(number, a, answer);
  case SYS_getdents64:
  case SYS_fadvise64:
  case SYS_readahead:
    return make_if(kept(a[0]) != Kept::no, number, a, answer);
  case SYS_write:
  case SYS_writev:
  case SYS_pwrite64:
  case SYS_pwritev:
  case SYS_ftruncate:
  case SYS_fallocate:
  case SYS_fsync:
  case SYS_fdatasync:
  case SYS_fchmod:
    return write_kept(number, a, answer);
  case SYS_unlink:
  case SYS_unlinkat:
  case SYS_rmdir:
  case SYS_rename:
  case SYS_renameat:
  case SYS_renameat2:
  case SYS_link:
  case SYS_linkat:
  case SYS_symlink:
  case SYS_symlinkat:
  case SYS_mkdir:
  case SYS_mkdirat:
  case SYS_truncate:
  case SYS_chmod:
  case SYS_fchmodat:
  case SYS_utimensat:
    return change_kept(number, a, answer);
  case SYS_ioctl:
    return ioctl_kept(a, answer);
  case SYS_fcntl:
    return control_kept(a, answer);
  case SYS_dup:
    return copy_kept(SYS_dup, a, answer);
  default:
    return make_channel_call(number, a, answer);
  }
}

// What is asked of a descriptor that is not open has no effect.
bool fails(long number, long descriptor, long& answer) {
  switch (number) {
  case SYS_read:
  case SYS_readv:
  case SYS_write:
  case SYS_writev:
  case SYS_fcntl:
  case SYS_ioctl:
  case SYS_dup:
  case SYS_dup2:
  case SYS_dup3:
  case SYS_getsockopt:
  case SYS_setsockopt:
  case SYS_getsockname:
  case SYS_getpeername:
  case SYS_sendto:
  case SYS_recvfrom:
  case SYS_sendmsg:
  case SYS_recvmsg:
  case SYS_sendmmsg:
  case SYS_recvmmsg:
  case SYS_shutdown:
  case SYS_bind:
  case SYS_listen:
  case SYS_connect:
  case SYS_accept:
  case SYS_accept4:
    answer = -EBADF;
    return reex_kept_call(SYS_fcntl, descriptor, F_GETFD) < 0;
  default:
    return false;
  }
}

} // namespace

Kept kept(long descriptor) { return descriptor >= 0 && descriptor < g_end ? g_kept[descriptor] : Kept::no; }

bool keep(long descriptor, Kept how) {
  if (descriptor < 0) return true;
  if (descriptor >= k_most) {
    reex_kept_call(SYS_close, descriptor);
    return false;
  }
  g_kept[descriptor] = how;
  if (descriptor >= g_end) g_end = static_cast<int>(descriptor) + 1;
  return true;
}

bool make_if(bool harmless, long number, const long* a, long& answer) {
  if (!harmless) return false;
  answer = reex_kept_call(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  return true;
}

bool make_kept_call(long number, const long* a, long& answer) {
  note_channel_change();
  return make_call(number, a, answer) || fails(number, a[0], answer);
}

bool is_kept_channel(long descriptor) {
  if (kept(descriptor) == Kept::channel) return true;
  if (kept(descriptor) != Kept::no || !is_renewed_channel(static_cast<int>(descriptor))) return false;
  g_used_early = true;
  return true;
}

bool is_kept(long descriptor) {
  return kept(descriptor) != Kept::no || is_kept_channel(descriptor) || is_early(descriptor);
}

bool is_output(long descriptor) {
  return (descriptor == STDOUT_FILENO || descriptor == STDERR_FILENO) && is_output_saved() &&
         !g_lost_output[descriptor - 1] && !is_open_file(static_cast<int>(descriptor)) &&
         !is_renewed_channel(static_cast<int>(descriptor));
}

void lose_output(long descriptor) { g_lost_output[descriptor - 1] = true; }

Kept kept_as_copy(long descriptor) {
  if (is_output(descriptor)) return Kept::written;
  return is_kept_channel(descriptor) ? Kept::channel : kept(descriptor);
}

bool is_kept_copy(long descriptor) {
  const Kept how = kept_as_copy(descriptor);
  return how != Kept::no && how != Kept::asks;
}

bool keep_copy(int descriptor) {
  if (is_channel(descriptor)) return keep(descriptor, Kept::channel);
  const long flags = reex_kept_call(SYS_fcntl, descriptor, F_GETFL);
  return keep(descriptor, (flags & O_ACCMODE) == O_RDONLY ? Kept::read : Kept::written);
}

bool has_used_early_channels() { return g_used_early; }

void each_made_channel(void (*visit)(int descriptor)) {
  for (int descriptor = 0; descriptor < g_end; ++descriptor)
    if (g_kept[descriptor] == Kept::channel) visit(descriptor);
}

void each_kept_channel(void (*visit)(int descriptor)) {
  each_made_channel(visit);
  each_renewed_channel(visit);
}

void restore_descriptors() {
  reset_connections();
  for (int descriptor = 0; descriptor < g_end; ++descriptor) {
    if (g_kept[descriptor] != Kept::no) reex_kept_call(SYS_close, descriptor);
    g_kept[descriptor] = Kept::no;
  }
  g_end = 0;
  for (int i = 0; i < 2; ++i) {
    if (g_lost_output[i]) put_back_output(i + 1);
    g_lost_output[i] = false;
  }
  while (g_closed_count > 0) {
    const Closed& closed = g_closed[--g_closed_count];
    reex_kept_call(SYS_dup3, closed.copy, closed.number, closed.close_on_exec ? O_CLOEXEC : 0);
    reex_kept_call(SYS_close, closed.copy);
  }
  if (g_moved) rewind_files();
  g_moved = false;
  if (g_used_early) renew_channels();
  g_used_early = false;
  restore_timer_descriptors();
  restore_signal_descriptors();
}

} // namespace reex
