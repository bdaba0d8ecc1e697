#include "reex/runtime/descriptors/outside.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "reex/runtime/core/enabled.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/virtual_time.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/descriptors/calls.h"
#include "reex/runtime/descriptors/channels.h"
#include "reex/runtime/descriptors/kept/kept_descriptors.h"
#include "reex/runtime/descriptors/kept/open_descriptors.h"
#include "reex/runtime/descriptors/signal_descriptors.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/record/unexplored.h"
#include "reex/runtime/signals/signals.h"

namespace reex {
namespace {

constexpr unsigned k_most_descriptors = 1024; // more are not examined

bool g_was_there = false; // somebody was outside when spinning threads looked
int g_descriptors[k_most_descriptors];
unsigned g_descriptor_count = 0;

void list_descriptors() {
  g_descriptor_count = 0;
  each_open_descriptor([](int number) {
    if (g_descriptor_count < k_most_descriptors) g_descriptors[g_descriptor_count++] = number;
  });
}

bool read_file(const char* name, char* text, std::size_t size) {
  const long file = raw_syscall(SYS_open, as_long(name), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const long got = raw_syscall(SYS_read, file, as_long(text), static_cast<long>(size) - 1);
  raw_syscall(SYS_close, file);
  text[got > 0 ? got : 0] = 0;
  return got >= 0;
}

char state_of_process(long process) { // the letter that ps shows
  char name[64];
  char status[512];
  snprintf(name, sizeof name, "/proc/%ld/stat", process);
  if (!read_file(name, status, sizeof status)) return 'X';
  const char* state = strrchr(status, ')');
  return state != nullptr && state[1] == ' ' ? state[2] : 'X';
}

// The state of a process's children. Their children count too: a shell sleeps while its command works.
Children children_of(long process, unsigned generations = 8) {
  char list[2048];
  char name[64];
  snprintf(name, sizeof name, "/proc/%ld/task/%ld/children", process, process);
  if (!read_file(name, list, sizeof list)) return Children::at_work; // unknown: better no deadlock
  Children found = Children::none; // children that have ended, and for which nobody has waited, do not count
  for (char* at = list;;) {
    char* end = nullptr;
    const long child = strtol(at, &end, 10);
    if (end == at) return found;
    at = end;
    const char state = state_of_process(child);
    if (state == 'Z' || state == 'X') continue;
    if (state != 'S') return Children::at_work;
    if (generations != 0 && children_of(child, generations - 1) == Children::at_work)
      return Children::at_work;
    found = Children::asleep;
  }
}

bool is_wait_for_descriptor(Operation operation) {
  switch (operation) {
  case Operation::channel_read:
  case Operation::channel_write:
  case Operation::channel_accept:
  case Operation::channel_connect:
  case Operation::poll:
    return true;
  default:
    return false;
  }
}

bool waits_for_descriptors(const Fiber& fiber) {
  return fiber.state == FiberState::live && is_wait_for_descriptor(fiber.pending.operation);
}

struct Address {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;

  bool of(int descriptor, long call) {
    size = sizeof storage;
    return raw_syscall(call, descriptor, as_long(&storage), as_long(&size)) == 0;
  }
  bool is_internet() const { return storage.ss_family == AF_INET || storage.ss_family == AF_INET6; }
  std::uint16_t port() const { // at the same offset in both families
    return reinterpret_cast<const sockaddr_in*>(&storage)->sin_port;
  }
};

// Connections that were asked for and not answered, and the most nanoseconds until the kernel asks again.
struct Requests {
  unsigned count = 0;
  std::uint64_t again = 0;
};

Requests connection_requests() {
  Requests found;
  if (!g.connecting) return found;
  list_descriptors();
  for (unsigned i = 0; i < g_descriptor_count; ++i) {
    tcp_info connection{};
    socklen_t size = sizeof connection;
    if (reex_kept_call(SYS_getsockopt, g_descriptors[i], IPPROTO_TCP, TCP_INFO, as_long(&connection),
                       as_long(&size)) != 0 ||
        connection.tcpi_state != TCP_SYN_SENT)
      continue;
    ++found.count;
    found.again = std::max(found.again, connection.tcpi_rto * std::uint64_t{1000});
  }
  g.connecting = found.count != 0;
  return found;
}

bool is_socket(int descriptor) {
  struct stat status {};
  return raw_syscall(SYS_fstat, descriptor, as_long(&status)) == 0 && S_ISSOCK(status.st_mode);
}

// Whether the other end belonged to this process, or to its zygote, when the connection was made.
bool made_by_us(int descriptor) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (raw_syscall(SYS_getsockopt, descriptor, SOL_SOCKET, SO_PEERCRED, as_long(&peer), as_long(&size)) != 0)
    return true;
  return peer.pid == 0 || peer.pid == static_cast<pid_t>(raw_syscall(SYS_getpid)) ||
         peer.pid == static_cast<pid_t>(raw_syscall(SYS_getppid));
}

// Whether a socket is connected whose other end is not a descriptor of this process. Ports decide. If a port
// is used here and on the other machine too, the connection is missed.
bool is_connected_outside() {
  static std::uint16_t own[k_most_descriptors];
  static std::uint16_t others[k_most_descriptors];
  unsigned own_count = 0;
  unsigned other_count = 0;
  for (unsigned i = 0; i < g_descriptor_count; ++i) {
    const int descriptor = g_descriptors[i];
    if (!is_socket(descriptor)) continue;
    Address address;
    if (!address.of(descriptor, SYS_getsockname)) continue;
    if (address.is_internet()) own[own_count++] = address.port();
    if (!address.of(descriptor, SYS_getpeername)) continue;
    if (address.storage.ss_family == AF_UNIX && !made_by_us(descriptor)) return true;
    if (address.is_internet()) others[other_count++] = address.port();
  }
  for (unsigned i = 0; i < other_count; ++i) {
    bool inside = false;
    for (unsigned j = 0; j < own_count && !inside; ++j) inside = own[j] == others[i];
    if (!inside) return true;
  }
  return false;
}

// Whether another process can write to the pipe: this process cannot, and the pipe has not come to its end.
bool is_written_outside(int pipe) {
  struct stat status {};
  if (raw_syscall(SYS_fstat, pipe, as_long(&status)) != 0 || !S_ISFIFO(status.st_mode)) return false;
  for (unsigned i = 0; i < g_descriptor_count; ++i) {
    const int descriptor = g_descriptors[i];
    struct stat other {};
    if (raw_syscall(SYS_fstat, descriptor, as_long(&other)) == 0 && other.st_ino == status.st_ino &&
        other.st_dev == status.st_dev &&
        (raw_syscall(SYS_fcntl, descriptor, F_GETFL) & O_ACCMODE) != O_RDONLY)
      return false;
  }
  return true;
}

bool late_ready(const Pending& pending) {
  if (pending.operation == Operation::child_wait) return child_ready(pending);
  if (pending.operation == Operation::file_lock) return file_lock_ready(pending);
  return pending.operation == Operation::poll ? poll_ready(pending) : channel_ready(pending);
}

bool somebody_can_run() {
  admit_signals();
  bool found = false;
  for (Fiber* each : alive()) {
    Fiber& fiber = *each;
    if (is_late(fiber.pending)) tell_signal_descriptors(fiber);
    if (is_late(fiber.pending) && late_ready(fiber.pending)) fiber.pending.notified = true;
    found = found || (!fiber.spinning && is_enabled(fiber));
  }
  return found;
}

} // namespace

Children children() {
  siginfo_t ended{};
  if (g.in_place || // an execution would have forked them
      raw_syscall(SYS_waitid, P_ALL, 0, as_long(&ended), WEXITED | WNOHANG | WNOWAIT, 0) != 0)
    return Children::none;
  return children_of(raw_syscall(SYS_getpid));
}

bool has_ended(long process) {
  const char state = state_of_process(process);
  return state == 'Z' || state == 'X';
}

bool somebody_outside() {
  if (children() != Children::none) return true;
  bool waits = false;
  const auto waits_for_others = [&](Operation operation, const void* object) {
    if (!is_wait_for_descriptor(operation)) return false;
    if (!waits) list_descriptors();
    waits = true;
    return operation == Operation::channel_read && is_written_outside(descriptor_at(object));
  };
  for (const Fiber* each : alive()) {
    const Fiber& fiber = *each;
    if (fiber.state != FiberState::live) continue;
    if (waits_for_others(fiber.pending.operation, fiber.pending.object)) return true;
    for (unsigned i = 0; fiber.spinning && i < fiber.spin_reads; ++i)
      if (in_loop(fiber, fiber.spin[i]) && waits_for_others(fiber.spin[i].operation, fiber.spin[i].object))
        return true;
  }
  return waits && is_connected_outside();
}

// No thread can run. A listener whose queue was full has dropped what asked for a connection, and has room
// by now: the kernel asks again after a second, in real time. True: it has got an answer. False: none has
// come although the kernel has asked again, or there is a deadline before that.
bool await_connection(std::uint64_t earliest_deadline) {
  constexpr std::uint64_t k_most = 4000000000;
  constexpr std::uint64_t k_answer = 200000000;
  const Requests before = connection_requests();
  const std::uint64_t again = std::min(before.again, k_most);
  if (before.count == 0 || earliest_deadline < g_time.now + again) return false;
  for (const std::uint64_t start = real_now(); real_now() - start < again + k_answer; pause_really(k_pause))
    if (connection_requests().count < before.count) return true;
  return false;
}

// The last one outside may have left what a loop waits for.
bool look_once_more() {
  g_was_there = false;
  for (Fiber* fiber : alive()) end_spin(*fiber);
  return true;
}

bool look_outside(std::uint64_t earliest_deadline) {
  if (await_connection(earliest_deadline)) return look_once_more();
  if (g.in_place) return false;
  if (somebody_outside()) {
    g_was_there = true;
    note_outside();
    pause_really(k_pause);
  } else if (g_was_there) {
    return look_once_more();
  }
  return somebody_can_run();
}

bool takes_real_time(std::uint64_t deadline) {
  static std::uint64_t awaited = k_never; // scratch space: the deadline of the last call, and when it comes
  static std::uint64_t comes = 0;
  if (g.in_place || !somebody_outside()) return g_was_there;
  g_was_there = true;
  if (awaited != deadline) {
    awaited = deadline;
    comes = real_now() + (deadline > g_time.now ? deadline - g_time.now : 0);
  }
  return real_now() < comes;
}

namespace {

// Nobody is outside, but what the test has sent may be on its way.
bool await_delivery() {
  constexpr std::uint64_t k_delivery = 2000000;
  if (!uses_internet() || std::none_of(alive().begin(), alive().end(),
                                       [](const Fiber* fiber) { return waits_for_descriptors(*fiber); }))
    return false;
  for (const std::uint64_t start = real_now(); real_now() - start < k_delivery; pause_really(k_pause))
    if (somebody_can_run()) return true;
  return false;
}

} // namespace

bool await_outside(std::uint64_t earliest_deadline) {
  if (await_connection(earliest_deadline)) return true;
  if (g.in_place) return earliest_deadline == k_never && await_delivery();
  const std::uint64_t start = real_now();
  for (;;) {
    const bool outside = somebody_outside();
    if (somebody_can_run()) return true;
    if (!outside) return false;
    note_outside();
    const std::uint64_t passed = real_now() - start;
    if (earliest_deadline != k_never &&
        (earliest_deadline <= g_time.now || passed >= earliest_deadline - g_time.now))
      return false;
    pause_really(k_pause);
  }
}

} // namespace reex
