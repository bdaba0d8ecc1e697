// Channels in a worker that restores (kept_descriptors.h). What may wait, or reaches another process, the
// hooks decide (channels.cpp); here is what they leave to the filter, and what libc does unseen by them.
//
// g_used_internet belongs to one execution: reset_connections sets it back.
#include <cerrno>
#include <fcntl.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include "reex/runtime/descriptors/kept/descriptors.h"
#include "reex/runtime/descriptors/kept/kept_descriptors.h"
#include "reex/runtime/descriptors/kept/kept_table.h"
#include "reex/runtime/descriptors/kept/record_locks.h"
#include "reex/runtime/descriptors/socket_address.h"
#include "reex/runtime/environment/file_watch.h"
#include "reex/runtime/environment/seen_files.h"
#include "reex/runtime/machine/kept_call.h"
#include "reex/runtime/machine/platform.h"

namespace reex {
namespace {

bool g_used_internet = false; // the execution has made a socket of the internet

// A failed call has made none.
bool keep_pair(const int* ends, long made) {
  return made != 0 || (keep(ends[0], Kept::channel) && keep(ends[1], Kept::channel));
}

bool make_pipe(long ends, long flags, long& answer) {
  answer = reex_kept_call(SYS_pipe2, ends, flags);
  return keep_pair(reinterpret_cast<const int*>(ends), answer);
}

bool make_socket(const long* a, long& answer) {
  const bool asks = a[0] == AF_NETLINK && a[2] == NETLINK_ROUTE;
  if (!asks && a[0] != AF_INET && a[0] != AF_INET6 && a[0] != AF_UNIX) return false;
  answer = reex_kept_call(SYS_socket, a[0], a[1], a[2]);
  if (asks) return keep(answer, Kept::asks);
  g_used_internet = g_used_internet || a[0] != AF_UNIX;
  return keep(answer, Kept::channel);
}

// The hooks have waited for a connection.
bool accept_kept(long number, const long* a, long& answer) {
  if (!is_kept_channel(a[0])) return false;
  answer = reex_kept_call(number, a[0], a[1], a[2], a[3]);
  return keep(answer, Kept::channel);
}

// A local socket may make a file.
bool bind_kept(const long* a, long& answer) {
  if (!is_kept_channel(a[0]) && kept(a[0]) != Kept::asks) return false;
  if (a[1] != 0 && reinterpret_cast<const sockaddr*>(a[1])->sa_family == AF_UNIX) {
    if (!files_are_watched() || has_record_locks()) return false;
    note_changed_files();
  }
  answer = reex_kept_call(SYS_bind, a[0], a[1], a[2]);
  return true;
}

bool make_channel(long number, const long* a, long& answer) {
  answer = reex_kept_call(number, a[0], a[1]);
  return keep(answer, Kept::channel);
}

// Puts a copy of what is kept in the place of what is kept, of the output, or of nothing.
bool replace_kept(long number, const long* a, long& answer) {
  const Kept how = kept_as_copy(a[0]);
  const bool is_open = reex_kept_call(SYS_fcntl, a[1], F_GETFD) >= 0;
  if (how == Kept::no || how == Kept::asks || (is_open && kept_as_copy(a[1]) == Kept::no)) return false;
  const bool output = is_output(a[1]);
  answer = reex_kept_call(number, a[0], a[1], a[2]);
  if (answer < 0 || answer == a[0]) return true;
  if (output) lose_output(answer);
  return keep(answer, how);
}

// Whether nothing has this name.
bool is_missing(const char* path) {
  struct stat status {};
  return *path != 0 && raw_syscall(SYS_newfstatat, AT_FDCWD, as_long(path), as_long(&status), 0) == -ENOENT;
}

// What libc connects unseen by the hooks as it looks up a name: a socket for datagrams, by which it sends
// nothing, and one to a service that is not there.
bool connect_unseen(const long* a, long& answer) {
  if (kept(a[0]) != Kept::channel) return false;
  const auto* address = reinterpret_cast<const sockaddr*>(a[1]);
  const bool missing =
      address->sa_family == AF_UNIX && is_missing(reinterpret_cast<const sockaddr_un*>(address)->sun_path);
  return make_if(missing || option_of(static_cast<int>(a[0]), SOL_SOCKET, SO_TYPE) == SOCK_DGRAM, SYS_connect,
                 a, answer);
}

// Requests of rtnetlink come in fours: make, remove, tell, change.
bool only_asks(const long* a) {
  constexpr unsigned k_tell = 2;
  return kept(a[0]) == Kept::asks && a[2] >= static_cast<long>(sizeof(nlmsghdr)) &&
         (reinterpret_cast<const nlmsghdr*>(a[1])->nlmsg_type & 3u) == k_tell;
}

// Connections that are open when a restore closes them leave nothing behind.
void reset_when_closed(int socket) {
  const linger at_once{1, 0};
  reex_kept_call(SYS_setsockopt, socket, SOL_SOCKET, SO_LINGER, as_long(&at_once), sizeof at_once);
}

} // namespace

bool make_channel_call(long number, const long* a, long& answer) {
  switch (number) {
  case SYS_pipe:
    return make_pipe(a[0], 0, answer);
  case SYS_pipe2:
    return make_pipe(a[0], a[1], answer);
  case SYS_socketpair:
    answer = reex_kept_call(SYS_socketpair, a[0], a[1], a[2], a[3]);
    return keep_pair(reinterpret_cast<const int*>(a[3]), answer);
  case SYS_socket:
    return make_socket(a, answer);
  case SYS_accept:
  case SYS_accept4:
    return accept_kept(number, a, answer);
  case SYS_bind:
    return bind_kept(a, answer);
  case SYS_eventfd:
  case SYS_eventfd2:
  case SYS_epoll_create:
  case SYS_epoll_create1:
    return make_channel(number, a, answer);
  case SYS_connect:
    return connect_unseen(a, answer);
  case SYS_sendto:
    return make_if(only_asks(a), number, a, answer);
  case SYS_recvmsg:
  case SYS_recvfrom:
    return make_if(kept(a[0]) == Kept::asks, number, a, answer);
  case SYS_getsockopt:
  case SYS_getsockname:
  case SYS_getpeername:
    return make_if(kept(a[0]) == Kept::asks || is_kept_channel(a[0]), number, a, answer);
  case SYS_setsockopt: // those from before the first thread take the options that they had from the zygote's
    return make_if(kept(a[0]) == Kept::asks || kept(a[0]) == Kept::channel, number, a, answer);
  case SYS_inotify_init:
  case SYS_inotify_init1:
    return make_channel(number, a, answer);
  case SYS_inotify_add_watch:
  case SYS_inotify_rm_watch:
    return make_if(kept(a[0]) == Kept::channel, number, a, answer);
  case SYS_dup2:
  case SYS_dup3:
    return replace_kept(number, a, answer);
  default:
    return false;
  }
}

bool uses_internet() { return g_used_internet || (has_used_early_channels() && had_internet_sockets()); }

void reset_connections() {
  if (g_used_internet) each_made_channel(reset_when_closed);
  g_used_internet = false;
}

} // namespace reex
