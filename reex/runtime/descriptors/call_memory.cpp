// What the kernel reads and writes of the test's memory in each call, as a table. The kernel is not
// instrumented; a call that the test makes races there like the test's own code.
//
// What a call reads is reported before it, and what it has written behind it. So the one comes before what
// the call sends, and the other after what it has received.
#include <algorithm>
#include <csignal>
#include <cstddef>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>

#include "reex/runtime/descriptors/calls.h"
#include "reex/runtime/order/buffers.h"

namespace reex {
namespace {

enum class Use : std::uint8_t {
  none,
  in,           // as many bytes as the argument `size` says
  out,          // as many bytes as the answer says, and at most the argument `size`
  in_of_size,   // `size` bytes
  out_of_size,  // `size` bytes, unless the call fails
  out_if_found, // the same, unless the answer is 0
  out_elements, // as many times `size` bytes as the answer says
  in_parts,     // a vector of as many parts as the argument `size` says
  out_parts,    // the same
  in_message,   // a msghdr
  out_message,  // the same
  in_messages,  // as many mmsghdr as the argument `size` says
  out_messages, // as many mmsghdr as the answer says, which were at most the argument `size`
  out_address,  // the argument `size` points to its length
  polled,       // as many pollfd as the argument `size` says
  in_out_set,   // an fd_set; argument 0 says how many descriptors it has
  in_queued,    // a msgbuf with a text of the argument `size`
  out_queued,   // a msgbuf with a text of the answer's length
};

struct Argument {
  Use use = Use::none;
  std::uint8_t at = 0; // the argument that is the address
  std::uint8_t size = 0;
};

constexpr unsigned k_most_arguments = 5;

struct Row {
  long number;
  Argument argument[k_most_arguments];
};

constexpr Row k_rows[] = {
    {SYS_read, {{Use::out, 1, 2}}},
    {SYS_write, {{Use::in, 1, 2}}},
    {SYS_readv, {{Use::out_parts, 1, 2}}},
    {SYS_writev, {{Use::in_parts, 1, 2}}},
    {SYS_pread64, {{Use::out, 1, 2}}},
    {SYS_pwrite64, {{Use::in, 1, 2}}},
    {SYS_preadv, {{Use::out_parts, 1, 2}}},
    {SYS_preadv2, {{Use::out_parts, 1, 2}}},
    {SYS_pwritev, {{Use::in_parts, 1, 2}}},
    {SYS_pwritev2, {{Use::in_parts, 1, 2}}},
    {SYS_recvfrom, {{Use::out, 1, 2}, {Use::out_address, 4, 5}}},
    {SYS_sendto, {{Use::in, 1, 2}, {Use::in, 4, 5}}},
    {SYS_recvmsg, {{Use::out_message, 1}}},
    {SYS_sendmsg, {{Use::in_message, 1}}},
    {SYS_recvmmsg, {{Use::out_messages, 1, 2}}},
    {SYS_sendmmsg, {{Use::in_messages, 1, 2}}},
    {SYS_accept, {{Use::out_address, 1, 2}}},
    {SYS_accept4, {{Use::out_address, 1, 2}}},
    {SYS_connect, {{Use::in, 1, 2}}},
    {SYS_bind, {{Use::in, 1, 2}}},
    {SYS_socketpair, {{Use::out_of_size, 3, 2 * sizeof(int)}}},
    {SYS_pipe2, {{Use::out_of_size, 0, 2 * sizeof(int)}}},
    {SYS_poll, {{Use::polled, 0, 1}}},
    {SYS_ppoll, {{Use::polled, 0, 1}, {Use::in_of_size, 2, sizeof(timespec)}}},
    {SYS_select,
     {{Use::in_out_set, 1},
      {Use::in_out_set, 2},
      {Use::in_out_set, 3},
      {Use::in_of_size, 4, sizeof(timeval)},
      {Use::out_of_size, 4, sizeof(timeval)}}},
    {SYS_pselect6, {{Use::in_out_set, 1}, {Use::in_out_set, 2}, {Use::in_out_set, 3}}},
    {SYS_epoll_ctl, {{Use::in_of_size, 3, sizeof(epoll_event)}}},
    {SYS_epoll_wait, {{Use::out_elements, 1, sizeof(epoll_event)}}},
    {SYS_epoll_pwait, {{Use::out_elements, 1, sizeof(epoll_event)}}},
    {SYS_epoll_pwait2, {{Use::out_elements, 1, sizeof(epoll_event)}, {Use::in_of_size, 3, sizeof(timespec)}}},
    {SYS_wait4, {{Use::out_if_found, 1, sizeof(int)}, {Use::out_if_found, 3, sizeof(rusage)}}},
    {SYS_waitid, {{Use::out_of_size, 2, sizeof(siginfo_t)}}},
    {SYS_msgsnd, {{Use::in_queued, 1, 2}}},
    {SYS_msgrcv, {{Use::out_queued, 1, 2}}},
};

const Row* row_of(long number) {
  for (const Row& row : k_rows)
    if (row.number == number) return &row;
  return nullptr;
}

// The kernel answers EFAULT to addresses that are none, and to most of those it accesses nothing.
bool is_address(const void* address) {
  constexpr long k_first_page = 4096;
  return reinterpret_cast<long>(address) >= k_first_page; // the kernel's own half is negative
}

// The accesses of one call. `reach` and `read` come before it, `written` behind it.
class Memory {
public:
  explicit Memory(const SystemCall& call) : m_call(call), m_pc(call.pc) {}

  // The scheduling points. Returns what `written` must know of the argument as it is now.
  long reach(const Argument& argument) const {
    switch (argument.use) {
    case Use::none:
      return 0;
    case Use::in:
    case Use::in_of_size:
    case Use::in_queued:
      will_read_buffer(at(argument), m_pc);
      return 0;
    case Use::in_parts:
      return reach_parts(at<iovec>(argument), value(argument), false);
    case Use::out_parts:
      return reach_parts(at<iovec>(argument), value(argument), true);
    case Use::in_message:
      return reach_message(at<msghdr>(argument), false);
    case Use::out_message:
      return reach_message(at<msghdr>(argument), true);
    case Use::in_messages:
    case Use::out_messages:
      for (long i = 0; i < messages(argument); ++i)
        reach_message(&at<mmsghdr>(argument)[i].msg_hdr, argument.use == Use::out_messages);
      return 0;
    case Use::out_address:
      will_write_buffer(at(argument), m_pc);
      will_write_buffer(length(argument), m_pc);
      return at(argument) == nullptr || length(argument) == nullptr ? 0
                                                                    : static_cast<long>(*length(argument));
    case Use::polled:
      for (long i = 0; i < polled(argument); ++i) will_write_buffer(&at<pollfd>(argument)[i], m_pc);
      return 0;
    default:
      will_write_buffer(at(argument), m_pc);
      return 0;
    }
  }

  void read(const Argument& argument) const {
    switch (argument.use) {
    case Use::in:
      return reads(at(argument), value(argument));
    case Use::in_of_size:
      return reads(at(argument), argument.size);
    case Use::in_queued:
      return reads(at(argument), static_cast<long>(sizeof(long)) + value(argument));
    case Use::in_parts:
    case Use::out_parts:
      return read_parts(at<iovec>(argument), value(argument), argument.use == Use::in_parts);
    case Use::in_message:
    case Use::out_message:
      return read_message(at<msghdr>(argument), argument.use == Use::in_message);
    case Use::in_messages:
    case Use::out_messages:
      for (long i = 0; i < messages(argument); ++i)
        read_message(&at<mmsghdr>(argument)[i].msg_hdr, argument.use == Use::in_messages);
      return;
    case Use::out_address:
      return reads(length(argument), sizeof(socklen_t));
    case Use::polled:
      for (long i = 0; i < polled(argument); ++i) reads(&at<pollfd>(argument)[i], offsetof(pollfd, revents));
      return;
    case Use::in_out_set:
      return reads(at(argument), size_of_set());
    default:
      return;
    }
  }

  void written(const Argument& argument, long answer, long before) const {
    if (answer < 0) return;
    switch (argument.use) {
    case Use::out:
      return receives(at(argument), std::min(answer, value(argument)));
    case Use::out_of_size:
      return writes(at(argument), argument.size);
    case Use::out_if_found:
      return writes(at(argument), answer == 0 ? 0 : argument.size);
    case Use::out_elements:
      return receives(at(argument), answer * argument.size);
    case Use::out_queued:
      return receives(at(argument), static_cast<long>(sizeof(long)) + answer);
    case Use::out_parts:
      return write_parts(at<iovec>(argument), value(argument), answer);
    case Use::out_message:
      return write_message(*at<msghdr>(argument), answer);
    case Use::in_messages:
      for (long i = 0; i < answer; ++i) writes(&at<mmsghdr>(argument)[i].msg_len, sizeof(unsigned));
      return;
    case Use::out_messages:
      for (long i = 0; i < answer; ++i) {
        const mmsghdr& message = at<mmsghdr>(argument)[i];
        write_message(message.msg_hdr, message.msg_len);
        writes(&message.msg_len, sizeof message.msg_len);
      }
      return;
    case Use::out_address:
      if (at(argument) == nullptr || length(argument) == nullptr) return;
      writes(at(argument), std::min(before, static_cast<long>(*length(argument))));
      return writes(length(argument), sizeof(socklen_t));
    case Use::polled:
      for (long i = 0; i < polled(argument); ++i) writes(&at<pollfd>(argument)[i].revents, sizeof(short));
      return;
    case Use::in_out_set:
      return writes(at(argument), size_of_set());
    default:
      return;
    }
  }

private:
  static constexpr long k_most_parts = 1024; // the kernel refuses more

  // Null where there is none.
  template <typename Object>
  const Object* address_of(unsigned argument) const {
    const auto* const object = reinterpret_cast<const Object*>(m_call.argument[argument]);
    return is_address(object) ? object : nullptr;
  }
  template <typename Object = void>
  const Object* at(const Argument& argument) const {
    return address_of<Object>(argument.at);
  }
  long value(const Argument& argument) const { return m_call.argument[argument.size]; }
  const socklen_t* length(const Argument& argument) const { return address_of<socklen_t>(argument.size); }
  // The upper halves of the registers are undefined.
  long messages(const Argument& argument) const {
    return at(argument) == nullptr ? 0 : std::min<long>(static_cast<unsigned>(value(argument)), k_most_parts);
  }
  long polled(const Argument& argument) const { return at(argument) == nullptr ? 0 : value(argument); }
  long size_of_set() const { return (static_cast<int>(m_call.argument[0]) + 63) / 64 * 8; }

  void reads(const void* data, long size) const { reads_buffer(data, size, m_pc); }
  void writes(const void* data, long size) const { writes_buffer(data, size, m_pc); }
  void receives(const void* data, long size) const { receives_buffer(data, size, m_pc); }

  static bool are_parts(const iovec* parts, long count) {
    return is_address(parts) && count > 0 && count <= k_most_parts;
  }

  long reach_parts(const iovec* parts, long count, bool write) const {
    if (!are_parts(parts, count)) return 0;
    will_read_buffer(parts, m_pc);
    for (long i = 0; i < count; ++i)
      if (parts[i].iov_len != 0)
        write ? will_write_buffer(parts[i].iov_base, m_pc) : will_read_buffer(parts[i].iov_base, m_pc);
    return 0;
  }
  long reach_message(const msghdr* message, bool write) const {
    if (message == nullptr) return 0;
    will_read_buffer(message, m_pc);
    return reach_parts(message->msg_iov, static_cast<long>(message->msg_iovlen), write);
  }

  void read_parts(const iovec* parts, long count, bool with_data) const {
    if (!are_parts(parts, count)) return;
    reads(parts, count * static_cast<long>(sizeof *parts));
    if (!with_data) return;
    for (long i = 0; i < count; ++i) reads(parts[i].iov_base, static_cast<long>(parts[i].iov_len));
  }
  void read_message(const msghdr* message, bool with_data) const {
    if (message == nullptr) return;
    reads(message, offsetof(msghdr, msg_flags));
    read_parts(message->msg_iov, static_cast<long>(message->msg_iovlen), with_data);
    if (!with_data) return;
    reads(message->msg_name, message->msg_namelen);
    reads(message->msg_control, static_cast<long>(message->msg_controllen));
  }

  void write_parts(const iovec* parts, long count, long size) const {
    for (long i = 0; i < count && size > 0; ++i) {
      const long length = std::min(size, static_cast<long>(parts[i].iov_len));
      receives(parts[i].iov_base, length);
      size -= length;
    }
  }
  void write_message(const msghdr& message, long size) const {
    write_parts(message.msg_iov, static_cast<long>(message.msg_iovlen), size);
    writes(message.msg_name, message.msg_namelen);
    writes(message.msg_control, static_cast<long>(message.msg_controllen));
    writes(&message.msg_namelen, sizeof message.msg_namelen);
    writes(&message.msg_controllen, sizeof message.msg_controllen);
    writes(&message.msg_flags, sizeof message.msg_flags);
  }

  const SystemCall& m_call;
  void* m_pc;
};

} // namespace

long watched_call(const SystemCall& call, Caller* make_call) {
  const Row* row = is_watched(call.pc) ? row_of(call.number) : nullptr;
  if (row == nullptr) return make_call(call);
  const Memory memory(call);
  long before[k_most_arguments];
  for (unsigned i = 0; i < k_most_arguments; ++i) before[i] = memory.reach(row->argument[i]);
  for (const Argument& argument : row->argument) memory.read(argument);
  const long answer = make_call(call);
  for (unsigned i = 0; i < k_most_arguments; ++i) memory.written(row->argument[i], answer, before[i]);
  return answer;
}

} // namespace reex
