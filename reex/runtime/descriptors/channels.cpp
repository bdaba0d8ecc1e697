#include "reex/runtime/descriptors/channels.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/descriptors/calls.h"
#include "reex/runtime/descriptors/channel_waits.h"
#include "reex/runtime/descriptors/kept/descriptors.h"
#include "reex/runtime/descriptors/kept/inside.h"
#include "reex/runtime/descriptors/kept/kept_descriptors.h"
#include "reex/runtime/descriptors/messages.h"
#include "reex/runtime/descriptors/outside.h"
#include "reex/runtime/descriptors/signal_descriptors.h"
#include "reex/runtime/descriptors/timer_descriptors.h"
#include "reex/runtime/descriptors/untouched.h"
#include "reex/runtime/descriptors/uses.h"
#include "reex/runtime/environment/clock.h"
#include "reex/runtime/environment/file_points.h"
#include "reex/runtime/machine/kept_call.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/runtime/order/happens_before.h"
#include "reex/runtime/order/promoted.h"
#include "reex/runtime/order/shadow_memory.h"
#include "reex/runtime/record/unexplored.h"
#include "reex/runtime/signals/signals.h"

namespace reex {
namespace {

std::uint32_t g_changes = 1;
std::uint32_t g_made_process = 0; // the last execution in which the test has made a process

// A pipe or a regular file has an object of its own: what is read there was written there. Null: another
// kind.
const void* file_behind(int descriptor) {
  constexpr std::uint64_t k_no_address = std::uint64_t{1} << 62;
  struct stat status {};
  if (raw_syscall(SYS_fstat, descriptor, as_long(&status)) != 0 ||
      (!S_ISFIFO(status.st_mode) && !S_ISREG(status.st_mode)))
    return nullptr;
  const std::uint64_t number = (status.st_ino ^ status.st_dev << 40) * 16 & (k_no_address - 1);
  return reinterpret_cast<const void*>(number | k_no_address);
}

bool is_socket(int descriptor) {
  struct stat status {};
  return raw_syscall(SYS_fstat, descriptor, as_long(&status)) == 0 && S_ISSOCK(status.st_mode);
}

// Whether a restore may not take back what the call does beyond its channel.
bool reaches_beyond(const SystemCall& call) {
  switch (call.number) {
  case SYS_sendmsg:
  case SYS_sendmmsg:
    return !is_kept_inside(call);
  case SYS_sendto:
    return call.argument[4] != 0 && !leads_inside(static_cast<int>(call.argument[0]),
                                                  reinterpret_cast<const sockaddr*>(call.argument[4]),
                                                  static_cast<socklen_t>(call.argument[5]));
  default:
    return false;
  }
}

// Before a call that sends or receives.
void begin_transfer(const SystemCall& call) {
  if (g.in_place && reaches_beyond(call)) leave_restoring(call.number);
  begin_channel_call(call.number, static_cast<int>(call.argument[0]));
}

// Whether the kernel answers with an error at once, where poll would wait for ever: nothing comes from a
// pipe's end for writing, no connection to who does not listen, and no message to who does or to no socket.
bool receives_never(const SystemCall& call, long flags, Operation operation) {
  int listens = 0;
  socklen_t size = sizeof listens;
  if (reex_kept_call(SYS_getsockopt, call.argument[0], SOL_SOCKET, SO_ACCEPTCONN, as_long(&listens),
                     as_long(&size)) == 0)
    return (listens != 0) != (operation == Operation::channel_accept);
  return (flags & O_ACCMODE) == O_WRONLY || (call.number != SYS_read && call.number != SYS_readv);
}

void end_spins_on_descriptors() {
  note_channel_change();
  constexpr std::uintptr_t k_numbers = 0x10000; // objects below this are not addresses
  note_write(nullptr);
  if (g.spinning == 0) return;
  for (const Fiber* each : alive()) {
    const Fiber& fiber = *each;
    if (!fiber.spinning) continue;
    for (unsigned i = 0; i < fiber.spin_reads; ++i)
      if (reinterpret_cast<std::uintptr_t>(fiber.spin[i].object) < k_numbers) {
        note_write(fiber.spin[i].object);
        break;
      }
  }
}

// Another process may pass on what went through a different pipe, or what it was made with.
bool others_pass_on() { return g_made_process == g_execution || had_children(); }

void received_from(int descriptor) {
  const void* file = file_behind(descriptor);
  if (file != nullptr) acquire_from(file);
  if (file == nullptr || others_pass_on()) return channel_received();
  end_spins_on_descriptors();
}

// Others may look for what was sent with poll, which does not say where it was.
void sent_to(int descriptor) {
  if (const void* file = file_behind(descriptor); file != nullptr) release_to(file);
  channel_sent();
}

long received(const SystemCall& call, long answer) {
  if (answer >= 0)
    received_from(static_cast<int>(call.argument[0]));
  else
    note_read(label_of(static_cast<int>(call.argument[0])), static_cast<std::uint64_t>(answer));
  return answer;
}

// MSG_WAITALL: continues until the buffer is full or nothing more can come.
long receive_all(const SystemCall& call) {
  SystemCall rest = call;
  rest.argument[3] &= ~static_cast<long>(MSG_WAITALL);
  long total = 0;
  for (;;) {
    const long got = make_kept(rest);
    if (got <= 0) return total > 0 ? total : received(call, got);
    channel_received();
    total += got;
    rest.argument[1] += got;
    rest.argument[2] -= got;
    if (rest.argument[2] == 0 || wait_until_ready(call, Operation::channel_read, POLLIN, k_never) != 0)
      return total;
  }
}

long receive_from_file(const SystemCall& call) {
  const int descriptor = static_cast<int>(call.argument[0]);
  reach_cancellation_point(call.pc, call.frame);
  use_descriptor(descriptor, call.pc);
  const long answer = make(call);
  if (const void* file = answer > 0 ? file_behind(descriptor) : nullptr; file != nullptr) acquire_from(file);
  return answer;
}

long receive(const SystemCall& call, Operation operation) {
  const int descriptor = static_cast<int>(call.argument[0]);
  if (!is_channel(descriptor)) {
    if (is_promoted(call.pc))
      visible(operation, label_of(descriptor), call.pc, call.frame);
    else if (is_file(descriptor))
      read_point(call.pc, call.frame);
    if (!is_channel(descriptor)) return receive_from_file(call); // another thread may have opened one there
  }
  begin_transfer(call);
  const long flags = flags_of(descriptor);
  const bool waits = may_wait(call, flags) && !receives_never(call, flags, operation);
  const bool late = waits && is_up_to_children([&] {
                      tell_signal_descriptors(*g.current);
                      return is_ready(descriptor, POLLIN);
                    });
  visible_pending(operation, label_of(descriptor), call.pc, call.frame,
                  waits ? deadline_of_socket(descriptor, SO_RCVTIMEO) : k_never,
                  (waits ? POLLIN : 0) | (late ? k_late : 0));
  use_descriptor(descriptor, call.pc);
  tell_signal_descriptors(*g.current);
  if (waits)
    if (const long end = end_of_wait(descriptor, POLLIN); end != 0) return without_effect(end);
  if (call.number == SYS_recvfrom && waits && (message_flags(call) & (MSG_WAITALL | MSG_PEEK)) == MSG_WAITALL)
    return receive_all(call);
  if (is_signal_descriptor(descriptor)) return received(call, read_signals(call));
  if (operation != Operation::channel_accept) return received(call, transfer(call));
  const long accepted = make(call);
  note_made(call, accepted);
  return received(call, accepted);
}

// The parts that a call writes, one by one.
struct Parts {
  const iovec* part = nullptr;
  unsigned long count = 0;
  iovec single{};

  explicit Parts(const SystemCall& call) {
    if (call.number == SYS_write || call.number == SYS_sendto) {
      single = {reinterpret_cast<void*>(call.argument[1]), static_cast<std::size_t>(call.argument[2])};
      part = &single;
      count = 1;
    } else if (call.number == SYS_writev) {
      part = reinterpret_cast<const iovec*>(call.argument[1]);
      count = static_cast<unsigned long>(call.argument[2]);
    } else if (call.number == SYS_sendmsg) {
      const auto* message = reinterpret_cast<const msghdr*>(call.argument[1]);
      part = message->msg_iov;
      count = message->msg_iovlen;
    } // each message of sendmmsg goes as a whole
  }
};

// TCP holds back a short segment while an earlier one is not acknowledged, and an acknowledgement is held
// back, too, for 40 ms of real time. Until then the receiver would seem to wait for nothing. To switch this
// off makes the kernel send what it holds back; the test's own setting comes back.
void send_at_once(int descriptor) {
  const int yes = 1;
  int own = 0;
  socklen_t size = sizeof own;
  if (reex_kept_call(SYS_getsockopt, descriptor, IPPROTO_TCP, TCP_NODELAY, as_long(&own), as_long(&size)) !=
          0 ||
      own != 0)
    return;
  reex_kept_call(SYS_setsockopt, descriptor, IPPROTO_TCP, TCP_NODELAY, as_long(&yes), sizeof yes);
  reex_kept_call(SYS_setsockopt, descriptor, IPPROTO_TCP, TCP_NODELAY, as_long(&own), sizeof own);
}

void written_to(int descriptor) {
  send_at_once(descriptor);
  sent_to(descriptor);
}

// A stream has taken only a part. Writes the rest when there is room; other threads run in between.
long write_rest(const SystemCall& call, long flags, long written, std::uint64_t deadline) {
  const int descriptor = static_cast<int>(call.argument[0]);
  const bool socket = is_socket(descriptor);
  const Parts parts(call);
  long total = written;
  for (unsigned long i = 0; i < parts.count; ++i) {
    const long length = static_cast<long>(parts.part[i].iov_len);
    if (written >= length) {
      written -= length;
      continue;
    }
    while (written < length) {
      if (wait_until_ready(call, Operation::channel_write, POLLOUT, deadline) != 0) return total;
      const WithoutWaiting now(descriptor, flags);
      const long from = as_long(static_cast<char*>(parts.part[i].iov_base) + written);
      const long sent = socket ? reex_kept_call(SYS_sendto, descriptor, from, length - written,
                                                message_flags(call) & MSG_NOSIGNAL)
                               : reex_kept_call(SYS_write, descriptor, from, length - written);
      if (sent == -EAGAIN) continue;
      if (sent < 0) return total;
      written_to(descriptor);
      written += sent;
      total += sent;
    }
    written = 0;
  }
  return total;
}

long send_to_file(const SystemCall& call) {
  const int descriptor = static_cast<int>(call.argument[0]);
  use_descriptor(descriptor, call.pc);
  if (const void* file = file_behind(descriptor); file != nullptr) release_to(file);
  if (is_file(descriptor)) file_is_written();
  return make(call);
}

// Tries the call first: a pipe that is not writable may still have room for a byte.
long send(const SystemCall& call) {
  const int descriptor = static_cast<int>(call.argument[0]);
  if (!is_channel(descriptor)) {
    if (call.number == SYS_write || call.number == SYS_writev)
      visible(Operation::descriptor_write, label_of(descriptor), call.pc, call.frame);
    if (!is_channel(descriptor)) return send_to_file(call); // another thread may have opened one there
  }
  begin_transfer(call);
  const long flags = flags_of(descriptor);
  const bool waits = may_wait(call, flags);
  visible(Operation::channel_write, label_of(descriptor), call.pc, call.frame);
  use_descriptor(descriptor, call.pc);
  std::uint64_t deadline = k_never;
  for (;;) {
    long answer = 0;
    {
      const WithoutWaiting now(descriptor, waits ? flags : -1);
      answer = transfer(call);
    }
    if (answer == -EAGAIN && waits) {
      if (deadline == k_never) deadline = deadline_of_socket(descriptor, SO_SNDTIMEO);
      // The kernel never reports an unconnected datagram socket as not ready: this may be a spin.
      note_read(label_of(descriptor), 0);
      if (const long end = wait_until_ready(call, Operation::channel_write, POLLOUT, deadline); end != 0)
        return without_effect(end);
      continue;
    }
    if (answer >= 0)
      written_to(descriptor);
    else
      note_read(label_of(descriptor), static_cast<std::uint64_t>(answer));
    return answer >= 0 && waits ? write_rest(call, flags, answer, deadline) : answer;
  }
}

// For those that wait at the instance, it is written: who is told of a descriptor there sees what came before
// it was put there, or was given other data.
long change_interest(const SystemCall& call) {
  const int epoll = static_cast<int>(call.argument[0]);
  begin_channel_call(call.number, epoll);
  begin_channel_call(call.number, static_cast<int>(call.argument[2]));
  visible(Operation::epoll_control, label_of(epoll), call.pc, call.frame);
  use_descriptor(epoll, call.pc);
  use_descriptor(static_cast<int>(call.argument[2]), call.pc);
  if (call.argument[1] == EPOLL_CTL_DEL)
    end_spins_on_descriptors();
  else
    sent_to(epoll);
  return make_kept(call);
}

void watch_end(const SystemCall& call, int closed) {
  if (call.number == SYS_close) return close_descriptor(closed, call.pc);
  if (call.number == SYS_shutdown) return use_descriptor(closed, call.pc);
  const int from = static_cast<int>(call.argument[0]);
  touch(from);
  use_descriptor(from, call.pc);
  if (from != closed) replace_descriptor(closed, call.pc);
}

// The call has been made. The number may belong to another descriptor next.
void forget_closed(const SystemCall& call) {
  const bool copies = call.number == SYS_dup2 || call.number == SYS_dup3;
  if (call.number != SYS_close && !(copies && call.argument[0] != call.argument[1])) return;
  const int closed = static_cast<int>(call.argument[copies ? 1 : 0]);
  forget_timer(closed);
  forget_signals(closed);
}

bool is_open(int descriptor) { return raw_syscall(SYS_fcntl, descriptor, F_GETFD) >= 0; }

// Closing or shutting down: the other side will see the end. So does who has got the number of a descriptor
// that is closed once more: another thread may come in between.
long end(const SystemCall& call, int closed) {
  bool channel = is_channel(closed);
  const bool is_point = channel || is_promoted(call.pc) || (closed >= 0 && !is_open(closed));
  if (channel) begin_channel_call(call.number, closed);
  if (is_point) visible(Operation::channel_close, label_of(closed), call.pc, call.frame);
  if (!channel && is_channel(closed)) { // another thread has opened one there
    channel = true;
    begin_channel_call(call.number, closed);
  }
  if (!channel) reach_cancellation_point(call.pc, call.frame);
  watch_end(call, closed);
  const Untouched before = call.number == SYS_close ? untouched(closed) : Untouched::no;
  touch(closed);
  if (before == Untouched::yes)
    note_read(label_of(closed), 0);
  else if (is_point)
    note_write(label_of(closed));
  if (channel && before == Untouched::no) sent_to(closed);
  if (channel && call.number != SYS_shutdown) leave_bound_socket(closed);
  const long answer = call.number == SYS_shutdown ? make_kept(call) : make(call);
  if (call.number == SYS_shutdown || answer < 0) return answer;
  forget_closed(call);
  if (!channel) file_locks_released();
  return answer;
}

} // namespace

bool is_channel(int descriptor) {
  struct stat status {};
  if (raw_syscall(SYS_fstat, descriptor, as_long(&status)) != 0) return false;
  const unsigned kind = status.st_mode & S_IFMT;
  return kind == S_IFIFO || kind == S_IFSOCK || kind == 0; // anonymous inodes have no type
}

bool is_file(int descriptor) {
  struct stat status {};
  return descriptor > STDERR_FILENO && raw_syscall(SYS_fstat, descriptor, as_long(&status)) == 0 &&
         S_ISREG(status.st_mode);
}

bool is_ready(int descriptor, short events) {
  pollfd asked{descriptor, events, 0};
  return reex_kept_call(SYS_poll, as_long(&asked), 1, 0) != 0;
}

void note_channel_change() {
  if (++g_changes == 0) g_changes = 1;
}

std::uint32_t channel_changes() { return g.in_place && !uses_internet() ? g_changes : 0; }

bool channel_ready(const Pending& pending) {
  const auto events = static_cast<short>(pending.value & ~k_late);
  return events == 0 || ask_after_change(pending, [&] { return is_ready(descriptor_of(pending), events); });
}

void channel_sent() {
  end_spins_on_descriptors();
  release_to(&g_outside);
}

void channel_received() {
  end_spins_on_descriptors();
  acquire_from(&g_outside);
}

void stream_written(const FILE* stream) {
  if (!g.active || stream->_fileno <= STDERR_FILENO) return;
  if (is_channel(stream->_fileno))
    sent_to(stream->_fileno);
  else if (is_file(stream->_fileno))
    file_is_written();
}

void process_made() {
  if (!g.active) return;
  // libc makes the call with all signals blocked, where the filter would end the process.
  leave_restoring(SYS_clone);
  g_made_process = g_execution;
  touch_all();
  note_process();
  release_to(&g_outside);
}

void process_ended() { acquire_from(&g_outside); }

void leave_restoring(long system_call) {
  if (g.in_place) cannot_be_taken_back(static_cast<int>(system_call));
}

void begin_channel_call(long system_call, int descriptor) {
  const bool is_taken_back = !g.in_place || is_kept_channel(descriptor) ||
                             reex_kept_call(SYS_fcntl, descriptor, F_GETFD) < 0; // the call fails
  if (!is_taken_back) leave_restoring(system_call);
  if (system_call != SYS_connect && system_call != SYS_close) touch(descriptor);
  fingerprint_dark(true); // the kernel says what is ready
}

long make_descriptors(const SystemCall& call) {
  if (!g.active) return make(call);
  fingerprint_dark(true);
  if (call.number == SYS_socket) // who asks for a connection again and again makes one each time: it spins
    fingerprint_inner_operation(Operation::descriptor_write, nullptr);
  else
    visible(Operation::descriptor_open, label_of(-1), call.pc, call.frame); // -1: the table of descriptors
  if (call.number == SYS_dup || call.number == SYS_fcntl) touch(static_cast<int>(call.argument[0]));
  const long made = make(call);
  note_made(call, made);
  return made;
}

WithoutWaiting::WithoutWaiting(int descriptor, long flags) : m_descriptor(descriptor), m_flags(flags) {
  if (flags >= 0) reex_kept_call(SYS_fcntl, descriptor, F_SETFL, flags | O_NONBLOCK);
}

WithoutWaiting::~WithoutWaiting() {
  if (m_flags >= 0) reex_kept_call(SYS_fcntl, m_descriptor, F_SETFL, m_flags);
}

namespace {

// What a call that receives or sends waits for; `none` for all others.
Operation transfer_of(long number) {
  switch (number) {
  case SYS_read:
  case SYS_readv:
  case SYS_recvfrom:
  case SYS_recvmsg:
  case SYS_recvmmsg:
    return Operation::channel_read;
  case SYS_accept:
  case SYS_accept4:
    return Operation::channel_accept;
  case SYS_write:
  case SYS_writev:
  case SYS_sendto:
  case SYS_sendmsg:
  case SYS_sendmmsg:
    return Operation::channel_write;
  default:
    return Operation::none;
  }
}

} // namespace

bool descriptor_call(const SystemCall& call, long& answer) {
  if (const Operation transfer = transfer_of(call.number); transfer != Operation::none) {
    answer = transfer == Operation::channel_write ? send(call) : receive(call, transfer);
    return true;
  }
  switch (call.number) {
  case SYS_pread64:
  case SYS_preadv:
  case SYS_preadv2:
    read_point(call.pc, call.frame);
    reach_cancellation_point(call.pc, call.frame);
    answer = make(call);
    return true;
  case SYS_pwrite64:
  case SYS_pwritev:
  case SYS_pwritev2:
    write_point(call.pc, call.frame);
    reach_cancellation_point(call.pc, call.frame);
    answer = make(call);
    return true;
  case SYS_epoll_ctl:
    answer = change_interest(call);
    return true;
  case SYS_close:
  case SYS_shutdown:
    answer = end(call, static_cast<int>(call.argument[0]));
    return true;
  case SYS_dup2:
  case SYS_dup3:
    answer = end(call, static_cast<int>(call.argument[1]));
    return true;
  case SYS_fcntl:
    if (call.argument[1] != F_DUPFD && call.argument[1] != F_DUPFD_CLOEXEC) return false;
    [[fallthrough]];
  case SYS_pipe:
  case SYS_pipe2:
  case SYS_socketpair:
  case SYS_socket:
  case SYS_eventfd:
  case SYS_eventfd2:
  case SYS_epoll_create:
  case SYS_epoll_create1:
  case SYS_dup:
    answer = make_descriptors(call);
    return true;
  default:
    return false;
  }
}

namespace {

// A thread of a process that the test forked waits until the call need not wait, and the others go on.
void wait_in_turns(const SystemCall& call) {
  const Operation transfer = transfer_of(call.number);
  const int descriptor = static_cast<int>(call.argument[0]);
  if (transfer == Operation::none || !is_channel(descriptor)) return;
  const long flags = flags_of(descriptor);
  const bool sends = transfer == Operation::channel_write;
  if (!may_wait(call, flags) || (!sends && receives_never(call, flags, transfer))) return;
  catch_up_with_time();
  visible_pending(transfer, label_of(descriptor), call.pc, call.frame,
                  deadline_of_socket(descriptor, sends ? SO_SNDTIMEO : SO_RCVTIMEO),
                  static_cast<std::uint64_t>(sends ? POLLOUT : POLLIN));
}

// Signals of a descriptor, if there are any.
bool read_before_threads(const SystemCall& call, long& answer) {
  const int descriptor = static_cast<int>(call.argument[0]);
  if (call.number != SYS_read || !is_signal_descriptor(descriptor)) return false;
  answer = read_signals(call);
  return answer != -EAGAIN || !may_wait(call, flags_of(descriptor));
}

// The test forked this process.
long call_in_child(const SystemCall& call) {
  long answer = 0;
  if (g.live > 1 && poll_alone(call, answer)) return answer;
  if (g.live > 1) wait_in_turns(call);
  return make_free(call);
}

} // namespace

long controlled_call(const SystemCall& call) {
  const CancellationPoint point(call.is_cancellation_point);
  long answer = 0;
  if (g_signal_descriptors != 0) refuse_unknown_uses(call);
  if (g.active && (descriptor_call(call, answer) || connection_call(call, answer) ||
                   poll_call(call, answer) || child_call(call, answer) || lock_call(call, answer))) {
    deliver_own_signals(); // SIGPIPE
    return answer;
  }
  if (call.is_cancellation_point) reach_cancellation_point(call.pc, call.frame);
  if (storage_call(call, answer)) return answer;
  if (!g.controlled && !g.forked_off) {
    if (poll_before_threads(call, answer) || read_before_threads(call, answer)) return answer;
    expire_timers_for(call);
  }
  answer = g.forked_off ? call_in_child(call) : make(call);
  if (answer >= 0) forget_closed(call);
  return answer;
}

} // namespace reex
