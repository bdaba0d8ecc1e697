#include "reex/runtime/descriptors/kept/descriptors.h"

#include <algorithm>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/descriptors/channels.h"
#include "reex/runtime/descriptors/kept/open_descriptors.h"
#include "reex/runtime/descriptors/kept/renewed_sockets.h"
#include "reex/runtime/descriptors/outside.h"
#include "reex/runtime/descriptors/socket_address.h"
#include "reex/runtime/machine/kept_call.h"
#include "reex/runtime/machine/platform.h"

namespace reex {
namespace {

constexpr unsigned k_most = 1024; // descriptors, and watches
constexpr unsigned k_inherited = 64;
constexpr unsigned k_pairs = 256;

struct Inherited {
  int number;
  std::uint64_t inode;
  std::uint64_t device;
};

OpenDescriptor g_open[k_most];
unsigned g_open_count = 0;
Watch g_watches[k_most];
unsigned g_watch_count = 0;
Inherited g_inherited[k_inherited];
unsigned g_inherited_count = 0;
std::uint64_t g_pairs[k_pairs][2]; // inodes
unsigned g_pair_count = 0;
bool g_had_children = false; // children hold ends of pipes and sockets
bool g_had_internet_sockets = false;
bool g_had_unwaited = false; // children for which the test had not waited; they may have ended
const char* g_refusal = nullptr;

const OpenDescriptor* find_open(int number) {
  for (unsigned i = 0; i < g_open_count; ++i)
    if (g_open[i].number == number) return &g_open[i];
  return nullptr;
}

bool status_of(int number, struct stat& status) {
  return raw_syscall(SYS_fstat, number, as_long(&status)) == 0;
}

bool is_inherited(int number, const struct stat& status) {
  const bool typed = (status.st_mode & S_IFMT) != 0; // all anonymous inodes have one number
  for (unsigned i = 0; i < g_inherited_count; ++i)
    if (typed ? g_inherited[i].inode == status.st_ino && g_inherited[i].device == status.st_dev
              : g_inherited[i].number == number)
      return true;
  return false;
}

OpenDescriptor* find_other(const OpenDescriptor& open, std::uint64_t inode, int access) {
  for (unsigned i = 0; i < g_open_count; ++i) {
    OpenDescriptor& other = g_open[i];
    if (&other != &open && other.kind == open.kind && other.inode == inode &&
        (access < 0 || (other.flags & O_ACCMODE) == access))
      return &other;
  }
  return nullptr;
}

std::uint64_t peer_of(std::uint64_t inode) {
  for (unsigned i = 0; i < g_pair_count; ++i)
    for (int end = 0; end < 2; ++end)
      if (g_pairs[i][end] == inode) return g_pairs[i][1 - end];
  return 0;
}

bool is_semaphore(int number) {
  const std::uint64_t told = told_of(number, "eventfd-semaphore:", 10, 2);
  if (told != 2) return told == 1;
  std::uint64_t value = 2; // a kernel before 6.5 does not tell; reading a semaphore returns 1 at a time
  raw_syscall(SYS_write, number, as_long(&value), sizeof value);
  raw_syscall(SYS_read, number, as_long(&value), sizeof value);
  return value == 1;
}

void look_at(int number) {
  struct stat status {};
  if (g_open_count == k_most || !status_of(number, status) || is_inherited(number, status)) return;
  OpenDescriptor& open = g_open[g_open_count];
  open = {};
  open.number = number;
  open.inode = status.st_ino;
  open.flags = static_cast<int>(raw_syscall(SYS_fcntl, number, F_GETFL));
  open.close_on_exec = (raw_syscall(SYS_fcntl, number, F_GETFD) & FD_CLOEXEC) != 0;
  switch (status.st_mode & S_IFMT) {
  case S_IFREG:
    open.kind = DescriptorKind::file;
    open.offset = raw_syscall(SYS_lseek, number, 0, SEEK_CUR);
    open.length = status.st_size;
    break;
  case S_IFIFO:
    open.kind = DescriptorKind::pipe;
    open.object = open.inode * 4 + static_cast<unsigned>(open.flags & O_ACCMODE);
    break;
  case S_IFSOCK:
    open.object = open.inode;
    open.peer = peer_of(open.inode);
    g_had_internet_sockets = g_had_internet_sockets || option_of(number, SOL_SOCKET, SO_DOMAIN) != AF_UNIX;
    open.kind = open.peer != 0 ? DescriptorKind::socket_pair : kind_of_socket(number);
    break;
  case 0:
    if (is_anonymous(number, "[eventfd]")) {
      open.kind = DescriptorKind::event;
      open.object = told_of(number, "eventfd-id:", 10, static_cast<std::uint64_t>(number));
      open.count = told_of(number, "eventfd-count:", 16, 0);
    } else if (is_anonymous(number, "[eventpoll]")) {
      open.kind = DescriptorKind::epoll;
      open.object = static_cast<std::uint64_t>(number);
    } else if (is_anonymous(number, "inotify") &&
               !is_ready(number, POLLIN)) { // else the test counts on events
      open.kind = DescriptorKind::watcher;
      open.object = static_cast<std::uint64_t>(number);
      each_file_watch(number, [](int, std::uint64_t watch) {
        OpenDescriptor& watcher = g_open[g_open_count];
        watcher.count = std::max(watcher.count, watch);
        ++watcher.watches;
      });
    }
    break;
  default:
    return;
  }
  if (open.kind != DescriptorKind::left_alone) ++g_open_count;
}

// A pipe of which this process has only one end, while another process holds the other end.
bool is_shared_outside(const OpenDescriptor& open) {
  const bool reads = (open.flags & O_ACCMODE) == O_RDONLY;
  if ((open.flags & O_ACCMODE) == O_RDWR) return true;
  if (find_other(open, open.inode, reads ? O_WRONLY : O_RDONLY) != nullptr) return false;
  pollfd end{open.number, 0, 0};
  raw_syscall(SYS_poll, as_long(&end), 1, 0);
  return (end.revents & (POLLHUP | POLLERR)) == 0;
}

// Whether the connection is one that this process has not accepted yet.
bool waits_here(const OpenDescriptor& open) {
  for (unsigned i = 0; i < g_open_count; ++i)
    if (g_open[i].kind == DescriptorKind::socket_listening && is_connected_to(open.number, g_open[i].number))
      return true;
  return false;
}

// Completes what one descriptor alone does not tell.
void complete(OpenDescriptor& open) {
  switch (open.kind) {
  case DescriptorKind::pipe:
    if (g_had_children || is_shared_outside(open)) {
      open.kind = DescriptorKind::left_alone;
      return;
    }
    open.capacity = static_cast<int>(raw_syscall(SYS_fcntl, open.number, F_GETPIPE_SZ));
    break;
  case DescriptorKind::event:
    for (unsigned i = 0; &g_open[i] != &open; ++i)
      if (g_open[i].kind == DescriptorKind::event && g_open[i].object == open.object) return;
    open.semaphore = is_semaphore(open.number);
    break;
  case DescriptorKind::socket_listening:
    open.bound = bound_socket(open.number);
    break;
  case DescriptorKind::epoll:
    each_watch(open.number, [](const Watch& watch) {
      if (g_watch_count < k_most) g_watches[g_watch_count++] = watch;
    });
    break;
  case DescriptorKind::socket_pair:
    if (g_had_children) {
      open.kind = DescriptorKind::left_alone;
      return;
    }
    if (open.peer == 0) { // connected by connect and accept
      for (unsigned i = 0; i < g_open_count && open.peer == 0; ++i)
        if (&g_open[i] != &open && g_open[i].kind == DescriptorKind::socket_pair &&
            are_connected(open.number, g_open[i].number))
          open.peer = g_open[i].inode;
      if (open.peer == 0 && waits_here(open)) {
        open.kind = DescriptorKind::socket_waiting;
        open.bound = other_end(open.number);
        if (has_sent(open.number))
          g_refusal =
              "a connection that nobody had accepted had sent data before the first thread; accept it "
              "before that, or send after it";
      } else if (open.peer == 0) {
        open.kind = DescriptorKind::left_alone;
        if (is_local_socket(open.number))
          g_refusal =
              "a local socket was connected to another of the same process before the first thread; make "
              "the connection after it, or use socketpair";
      }
    }
    break;
  default:
    break;
  }
}

// Most pairs have the options that a new one has. To copy them takes longer than all the rest.
bool differs_from_new(int socket) {
  int ends[2];
  if (!connect_anew(socket, ends)) return true;
  const bool differs = !have_equal_options(socket, ends[0]);
  for (const int end : ends) raw_syscall(SYS_close, end);
  return differs;
}

void take_out(OpenDescriptor& open) {
  const bool socket = open.kind == DescriptorKind::socket_pair;
  if (socket) open.has_options = differs_from_new(open.number);
  if (socket || (open.kind == DescriptorKind::pipe && (open.flags & O_ACCMODE) == O_RDONLY))
    open.contents = take_contents(open.number, socket);
}

bool can_be_renewed_in_place(int number) {
  const OpenDescriptor* open = find_open(number);
  if (open == nullptr) return false;
  switch (open->kind) {
  case DescriptorKind::pipe:
  case DescriptorKind::event:
    return true;
  case DescriptorKind::socket_pair:
  case DescriptorKind::socket_waiting:
  case DescriptorKind::socket_listening:
  case DescriptorKind::socket_free:
  case DescriptorKind::socket_datagram:
    return g_refusal == nullptr;
  case DescriptorKind::epoll:
    return std::all_of(g_watches, g_watches + g_watch_count, [&](const Watch& watch) {
      return watch.epoll != open->number || can_be_renewed_in_place(watch.target);
    });
  default:
    return false;
  }
}

// The functions of a worker

void put_at(long made, const OpenDescriptor& open) {
  reex_kept_call(SYS_fcntl, made, F_SETFL, open.flags & (O_NONBLOCK | O_DIRECT | O_ASYNC));
  reex_kept_call(SYS_dup3, made, open.number, open.close_on_exec ? O_CLOEXEC : 0);
}

int of_zygote(const OpenDescriptor& open) { return open.original >= 0 ? open.original : open.number; }

// Puts the new object behind all descriptors of the old one.
void put_everywhere(long made, const OpenDescriptor& first) {
  for (unsigned i = 0; i < g_open_count; ++i)
    if (g_open[i].kind == first.kind && g_open[i].object == first.object) put_at(made, g_open[i]);
  reex_kept_call(SYS_close, made);
}

bool is_first(const OpenDescriptor& open) {
  for (unsigned i = 0; &g_open[i] != &open; ++i)
    if (g_open[i].kind == open.kind && g_open[i].object == open.object) return false;
  return true;
}

void renew_pipe(const OpenDescriptor& open) {
  const bool reads = (open.flags & O_ACCMODE) == O_RDONLY;
  const OpenDescriptor* other = find_other(open, open.inode, reads ? O_WRONLY : O_RDONLY);
  if (!reads && other != nullptr) return; // renewed together with the other end
  int ends[2];
  if (reex_kept_call(SYS_pipe2, as_long(ends), O_CLOEXEC) != 0) give_up("cannot open a pipe anew");
  if (open.capacity > 0) reex_kept_call(SYS_fcntl, ends[0], F_SETPIPE_SZ, open.capacity);
  put_contents(ends[1], open.contents, false);
  if (reads) {
    put_everywhere(ends[0], open);
    if (other == nullptr)
      reex_kept_call(SYS_close, ends[1]);
    else
      put_everywhere(ends[1], *other);
  } else {
    put_everywhere(ends[1], open);
    reex_kept_call(SYS_close, ends[0]);
  }
}

void renew_event(const OpenDescriptor& open) {
  const long made = reex_kept_call(SYS_eventfd2, 0, open.semaphore ? EFD_SEMAPHORE : 0);
  if (made < 0) give_up("cannot open an eventfd anew");
  if (open.count != 0) reex_kept_call(SYS_write, made, as_long(&open.count), sizeof open.count);
  put_everywhere(made, open);
}

void renew_pair(const OpenDescriptor& open) {
  const OpenDescriptor* other = find_other(open, open.peer, -1);
  if (other != nullptr && other < &open) return; // renewed together with the other end
  int ends[2];
  if (!connect_anew(of_zygote(open), ends)) give_up("cannot connect two sockets anew");
  put_contents(ends[1], open.contents, true);
  if (other != nullptr) put_contents(ends[0], other->contents, true);
  if (open.contents.ended) reex_kept_call(SYS_shutdown, ends[1], SHUT_WR);
  if (other != nullptr && other->contents.ended) reex_kept_call(SYS_shutdown, ends[0], SHUT_WR);
  if (open.has_options) copy_options(of_zygote(open), ends[0]);
  if (other != nullptr) {
    if (other->has_options) copy_options(of_zygote(*other), ends[1]);
    put_everywhere(ends[1], *other);
  } else {
    reex_kept_call(SYS_close, ends[1]);
  }
  put_everywhere(ends[0], open);
}

// After the listening sockets, whose connections were thrown away.
void renew_waiting(const OpenDescriptor& open) {
  const long made = connect_to(of_zygote(open), open.bound);
  if (made < 0) give_up("cannot connect a socket anew");
  put_everywhere(made, open);
}

// What earlier executions have left: the kernel gives later watches higher numbers.
void empty_watcher(const OpenDescriptor& open) {
  static unsigned left;
  left = 0;
  each_file_watch(open.number, [](int inotify, std::uint64_t watch) {
    if (watch <= find_open(inotify)->count)
      ++left;
    else
      reex_kept_call(SYS_inotify_rm_watch, inotify, static_cast<long>(watch));
  });
  if (left != open.watches)
    give_up("an execution ended a watch of inotify from before the first thread, and the next one cannot "
            "have it; "
            "watch it after the first thread has started");
  alignas(inotify_event) char events[4096];
  while (is_ready(open.number, POLLIN) &&
         reex_kept_call(SYS_read, open.number, as_long(events), sizeof events) > 0) {
  }
}

void renew(const OpenDescriptor& open) {
  switch (open.kind) {
  case DescriptorKind::file:
    if (struct stat status{}; (open.flags & O_ACCMODE) != O_RDONLY && status_of(open.number, status) &&
                              status.st_size > open.length)
      reex_kept_call(SYS_ftruncate, open.number, open.length);
    reex_kept_call(SYS_lseek, open.number, open.offset, SEEK_SET);
    reex_kept_call(SYS_fcntl, open.number, F_SETFL, open.flags);
    break;
  case DescriptorKind::pipe:
    if (is_first(open)) renew_pipe(open);
    break;
  case DescriptorKind::event:
    if (is_first(open)) renew_event(open);
    break;
  case DescriptorKind::epoll:
    put_everywhere(reex_kept_call(SYS_epoll_create1, EPOLL_CLOEXEC), open);
    break;
  case DescriptorKind::socket_pair:
    if (is_first(open)) renew_pair(open);
    break;
  case DescriptorKind::socket_free:
    if (is_first(open)) put_everywhere(open_anew(of_zygote(open)), open);
    break;
  case DescriptorKind::socket_listening:
    if (is_first(open) && !put_back(open.number, open.bound))
      give_up(
          "an execution shut down a bound socket from before the first thread, and it cannot be put back; "
          "bind it after the first thread has started");
    [[fallthrough]];
  case DescriptorKind::socket_datagram:
    empty_socket(open.number);
    reex_kept_call(SYS_fcntl, open.number, F_SETFL, open.flags);
    break;
  case DescriptorKind::watcher:
    empty_watcher(open);
    break;
  case DescriptorKind::socket_waiting:
  case DescriptorKind::left_alone:
    break;
  }
}

} // namespace

void remember_inherited() {
  each_open_descriptor([](int number) {
    struct stat status {};
    if (g_inherited_count < k_inherited && status_of(number, status))
      g_inherited[g_inherited_count++] = {number, status.st_ino, status.st_dev};
  });
}

void remember_pair(const int* ends) {
  struct stat status[2] = {};
  if (g.controlled || g_pair_count == k_pairs || !status_of(ends[0], status[0]) ||
      !status_of(ends[1], status[1]))
    return;
  g_pairs[g_pair_count][0] = status[0].st_ino;
  g_pairs[g_pair_count++][1] = status[1].st_ino;
}

void remember_descriptors() {
  g_had_children = children() != Children::none;
  siginfo_t told{};
  g_had_unwaited = raw_syscall(SYS_waitid, P_ALL, 0, as_long(&told), WEXITED | WNOHANG | WNOWAIT, 0) == 0;
  each_open_descriptor(look_at);
  for (unsigned i = 0; i < g_open_count; ++i) complete(g_open[i]);
  for (unsigned i = 0; i < g_open_count; ++i) take_out(g_open[i]);
  for (unsigned i = 0; i < g_open_count; ++i) g_open[i].in_place = can_be_renewed_in_place(g_open[i].number);
}

bool had_children() { return g_had_unwaited; }

namespace {

void watch_again(const Watch& watch) {
  epoll_event event{.events = watch.events, .data = {.u64 = watch.data}};
  reex_kept_call(SYS_epoll_ctl, watch.epoll, EPOLL_CTL_ADD, watch.target, as_long(&event));
}

bool is_socket(const OpenDescriptor& open) {
  return open.kind >= DescriptorKind::socket_pair && open.kind <= DescriptorKind::socket_datagram;
}

// What is opened anew must not get the number of one that the execution has closed: it is to be put there.
// Sockets that are shared are the zygote's again.
void fill_numbers() {
  const long plug = reex_kept_call(SYS_eventfd2, 0, EFD_CLOEXEC);
  if (plug < 0) give_up("cannot open an eventfd");
  for (unsigned i = 0; i < g_open_count; ++i) {
    const OpenDescriptor& open = g_open[i];
    if (open.original >= 0 && open.kind != DescriptorKind::socket_pair)
      reex_kept_call(SYS_dup3, open.original, open.number, open.close_on_exec ? O_CLOEXEC : 0);
    else if (open.in_place && reex_kept_call(SYS_fcntl, open.number, F_GETFD) < 0)
      reex_kept_call(SYS_dup3, plug, open.number, O_CLOEXEC);
  }
  if (!is_renewed_channel(static_cast<int>(plug))) reex_kept_call(SYS_close, plug);
}

// Those that a restore puts back, or all.
void renew_each(bool in_place) {
  const auto is_meant = [&](const OpenDescriptor& open) { return open.in_place || !in_place; };
  for (unsigned i = 0; i < g_open_count; ++i)
    if (is_meant(g_open[i])) renew(g_open[i]);
  for (unsigned i = 0; i < g_open_count; ++i)
    if (g_open[i].kind == DescriptorKind::socket_waiting && is_first(g_open[i]) && is_meant(g_open[i]))
      renew_waiting(g_open[i]);
  for (unsigned i = 0; i < g_watch_count; ++i)
    if (const OpenDescriptor* epoll = find_open(g_watches[i].epoll); epoll != nullptr && is_meant(*epoll))
      watch_again(g_watches[i]);
}

} // namespace

void renew_descriptors() {
  if (g_refusal != nullptr) give_up(g_refusal);
  renew_each(false);
}

void prepare_renewals() {
  for (unsigned i = 0; i < g_open_count; ++i) {
    OpenDescriptor& open = g_open[i];
    if (!open.in_place || !is_socket(open)) continue;
    open.original = static_cast<int>(raw_syscall(SYS_fcntl, open.number, F_DUPFD_CLOEXEC, k_lowest_own));
    open.in_place = open.original >= 0;
  }
  renew_channels();
}

void renew_channels() {
  if (std::none_of(g_open, g_open + g_open_count, [](const OpenDescriptor& open) { return open.in_place; }))
    return;
  fill_numbers();
  renew_each(true);
}

bool had_internet_sockets() { return g_had_internet_sockets; }

void each_renewed_channel(void (*visit)(int number)) {
  for (unsigned i = 0; i < g_open_count; ++i)
    if (g_open[i].in_place) visit(g_open[i].number);
}

bool is_renewed_channel(int number) {
  const OpenDescriptor* open = find_open(number);
  return open != nullptr && open->in_place;
}

namespace {

// The socket that is looked for, and how many descriptors of the process lead to it.
std::uint64_t g_sought = 0;
unsigned g_leading = 0;

bool is_bound_early(std::uint64_t inode) {
  for (unsigned i = 0; i < g_open_count; ++i)
    if (g_open[i].kind == DescriptorKind::socket_listening && g_open[i].inode == inode)
      return g_open[i].bound.size != 0;
  return false;
}

} // namespace

void leave_bound_socket(int number) {
  struct stat status {};
  if (!g.controlled || !status_of(number, status) || (status.st_mode & S_IFMT) != S_IFSOCK ||
      !is_bound_early(status.st_ino) || children() != Children::none)
    return;
  g_sought = status.st_ino;
  g_leading = 0;
  each_open_descriptor([](int other) {
    struct stat of_other {};
    if (other < k_lowest_own && status_of(other, of_other) && (of_other.st_mode & S_IFMT) == S_IFSOCK &&
        of_other.st_ino == g_sought)
      ++g_leading;
  });
  if (g_leading == 1) let_go(number);
}

bool is_open_file(int number) {
  const OpenDescriptor* open = find_open(number);
  return open != nullptr && open->kind == DescriptorKind::file;
}

bool has_files_open_for_writing() {
  for (unsigned i = 0; i < g_open_count; ++i)
    if (g_open[i].kind == DescriptorKind::file && (g_open[i].flags & O_ACCMODE) != O_RDONLY) return true;
  return false;
}

void rewind_files() {
  for (unsigned i = 0; i < g_open_count; ++i)
    if (g_open[i].kind == DescriptorKind::file)
      reex_kept_call(SYS_lseek, g_open[i].number, g_open[i].offset, SEEK_SET);
}

} // namespace reex
