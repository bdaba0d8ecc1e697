#include "reex/runtime/descriptors/kept/renewed_sockets.h"

#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <iterator>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

#include "reex/runtime/descriptors/channels.h"
#include "reex/runtime/descriptors/socket_address.h"
#include "reex/runtime/machine/kept_call.h"
#include "reex/runtime/machine/platform.h"

namespace reex {
namespace {

// What a socket that is opened anew takes from the old one.
struct Option {
  int level;
  int option;
};
constexpr Option k_options[] = {{SOL_SOCKET, SO_REUSEADDR}, {SOL_SOCKET, SO_REUSEPORT},
                                {SOL_SOCKET, SO_BROADCAST}, {SOL_SOCKET, SO_KEEPALIVE},
                                {SOL_SOCKET, SO_RCVTIMEO},  {SOL_SOCKET, SO_SNDTIMEO},
                                {SOL_SOCKET, SO_PASSCRED},  {SOL_SOCKET, SO_LINGER},
                                {IPPROTO_TCP, TCP_NODELAY}, {IPPROTO_IPV6, IPV6_V6ONLY}};
constexpr int k_buffer_sizes[] = {SO_SNDBUF, SO_RCVBUF};
constexpr socklen_t k_option_size = 64;

long open_socket(int number) {
  return reex_kept_call(SYS_socket, option_of(number, SOL_SOCKET, SO_DOMAIN),
                        option_of(number, SOL_SOCKET, SO_TYPE) | SOCK_CLOEXEC,
                        option_of(number, SOL_SOCKET, SO_PROTOCOL));
}

} // namespace

DescriptorKind kind_of_socket(int number) {
  if (option_of(number, SOL_SOCKET, SO_ACCEPTCONN) == 1) return DescriptorKind::socket_listening;
  const bool datagrams = option_of(number, SOL_SOCKET, SO_TYPE) == SOCK_DGRAM;
  Address address;
  if (!datagrams && address.read(number, SYS_getpeername)) return DescriptorKind::socket_pair;
  if (!address.read(number, SYS_getsockname)) return DescriptorKind::left_alone;
  if (address.storage.ss_family != AF_UNIX && !address.is_internet()) return DescriptorKind::left_alone;
  if (!address.is_bound()) {
    // A local one may be connected all the same: nobody could do that anew without the other's name.
    Address other;
    return other.read(number, SYS_getpeername) ? DescriptorKind::left_alone : DescriptorKind::socket_free;
  }
  return datagrams ? DescriptorKind::socket_datagram : DescriptorKind::socket_listening; // may listen
}

bool is_local_socket(int number) {
  ucred peer{};
  socklen_t size = sizeof peer;
  return option_of(number, SOL_SOCKET, SO_DOMAIN) == AF_UNIX &&
         reex_kept_call(SYS_getsockopt, number, SOL_SOCKET, SO_PEERCRED, as_long(&peer), as_long(&size)) ==
             0 &&
         peer.pid == static_cast<pid_t>(reex_kept_call(SYS_getpid));
}

bool are_connected(int one, int other) {
  Address here;
  Address there;
  const auto same = [&](int of, int to) {
    return here.read(of, SYS_getsockname) && there.read(to, SYS_getpeername) && here.is_internet() &&
           here.size == there.size && memcmp(&here.storage, &there.storage, here.size) == 0;
  };
  return same(one, other) && same(other, one);
}

bool is_connected_to(int number, int listener) {
  Address there;
  Address listening;
  return option_of(number, SOL_SOCKET, SO_TYPE) == SOCK_STREAM && there.read(number, SYS_getpeername) &&
         there.is_internet() && listening.read(listener, SYS_getsockname) && listening.is_internet() &&
         may_be_one(there, listening);
}

bool has_sent(int number) {
  struct { // the kernel's structure, of which glibc's header has the beginning
    tcp_info begin;
    std::uint64_t pacing_rate;
    std::uint64_t most_pacing_rate;
    std::uint64_t bytes_acked; // with one for the connection itself
  } info{};
  socklen_t size = sizeof info;
  const bool told =
      reex_kept_call(SYS_getsockopt, number, IPPROTO_TCP, TCP_INFO, as_long(&info), as_long(&size)) == 0;
  return !told || size < sizeof info || info.bytes_acked > 1 || info.begin.tcpi_unacked != 0;
}

BoundSocket other_end(int number) {
  BoundSocket end;
  Address address;
  if (!address.read(number, SYS_getpeername) || address.size > sizeof end.address) return end;
  end.size = address.size;
  memcpy(end.address, &address.storage, address.size);
  return end;
}

long connect_to(int number, const BoundSocket& other) {
  const long made = open_anew(number);
  const long connected =
      made < 0 ? made : reex_kept_call(SYS_connect, made, as_long(other.address), other.size);
  return connected < 0 ? connected : made;
}

long open_anew(int number) {
  const long made = open_socket(number);
  if (made >= 0) copy_options(number, static_cast<int>(made));
  return made;
}

bool connect_anew(int number, int* ends) {
  const int family = option_of(number, SOL_SOCKET, SO_DOMAIN);
  const int type = option_of(number, SOL_SOCKET, SO_TYPE);
  if (family == AF_UNIX)
    return reex_kept_call(SYS_socketpair, family, type | SOCK_CLOEXEC, 0, as_long(ends)) == 0;
  Address address; // a free port of the same interface
  if (!address.read(number, SYS_getsockname)) return false;
  address.port() = 0;
  const long listener = open_socket(number);
  const long made = open_socket(number);
  if (listener < 0 || made < 0 ||
      reex_kept_call(SYS_bind, listener, as_long(&address.storage), address.size) != 0 ||
      reex_kept_call(SYS_listen, listener, 1) != 0 ||
      !address.read(static_cast<int>(listener), SYS_getsockname) ||
      reex_kept_call(SYS_connect, made, as_long(&address.storage), address.size) != 0)
    return false;
  const long accepted = reex_kept_call(SYS_accept4, listener, 0, 0, SOCK_CLOEXEC);
  reex_kept_call(SYS_close, listener);
  ends[0] = static_cast<int>(made);
  ends[1] = static_cast<int>(accepted);
  return accepted >= 0;
}

bool have_equal_options(int one, int other) {
  const auto same = [&](int level, int option) {
    char values[2][k_option_size];
    socklen_t sizes[2] = {k_option_size, k_option_size};
    const bool known[] = {
        reex_kept_call(SYS_getsockopt, one, level, option, as_long(values[0]), as_long(&sizes[0])) == 0,
        reex_kept_call(SYS_getsockopt, other, level, option, as_long(values[1]), as_long(&sizes[1])) == 0};
    return known[0] == known[1] &&
           (!known[0] || (sizes[0] == sizes[1] && memcmp(values[0], values[1], sizes[0]) == 0));
  };
  return std::all_of(std::begin(k_options), std::end(k_options),
                     [&](const Option& each) { return same(each.level, each.option); }) &&
         std::all_of(std::begin(k_buffer_sizes), std::end(k_buffer_sizes),
                     [&](int option) { return same(SOL_SOCKET, option); });
}

void copy_options(int from, int to) {
  char value[k_option_size];
  for (const auto& [level, option] : k_options) {
    socklen_t size = sizeof value;
    if (reex_kept_call(SYS_getsockopt, from, level, option, as_long(value), as_long(&size)) == 0)
      reex_kept_call(SYS_setsockopt, to, level, option, as_long(value), size);
  }
  for (const int option : k_buffer_sizes) { // the kernel doubles the value that it is given
    const int wanted = option_of(from, SOL_SOCKET, option);
    if (wanted == option_of(to, SOL_SOCKET, option)) continue;
    const int half = wanted / 2;
    reex_kept_call(SYS_setsockopt, to, SOL_SOCKET, option, as_long(&half), sizeof half);
  }
}

BoundSocket bound_socket(int number) {
  BoundSocket bound;
  bound.listening = option_of(number, SOL_SOCKET, SO_ACCEPTCONN) == 1;
  Address address;
  if (!address.read(number, SYS_getsockname) || !address.is_internet() || address.size > sizeof bound.address)
    return bound;
  bound.size = address.size;
  memcpy(bound.address, &address.storage, address.size);
  tcp_info info{};
  socklen_t size = sizeof info;
  if (reex_kept_call(SYS_getsockopt, number, IPPROTO_TCP, TCP_INFO, as_long(&info), as_long(&size)) == 0)
    bound.backlog = static_cast<int>(info.tcpi_sacked); // what it means for a socket that listens
  // The kernel gives back a port that it had chosen when the socket is shut down. Connections that the socket
  // has accepted are in the way of binding it again, unless they have inherited this option.
  const int yes = 1;
  reex_kept_call(SYS_setsockopt, number, SOL_SOCKET, SO_REUSEADDR, as_long(&yes), sizeof yes);
  return bound;
}

void let_go(int number) {
  Address nobody;
  nobody.storage.ss_family = AF_UNSPEC;
  reex_kept_call(SYS_connect, number, as_long(&nobody.storage), sizeof nobody.storage);
}

bool put_back(int number, const BoundSocket& bound) {
  const bool listens = option_of(number, SOL_SOCKET, SO_ACCEPTCONN) == 1;
  if (bound.size == 0) { // only what listens can be seen to be shut down
    pollfd end{number, 0, 0};
    return !bound.listening || reex_kept_call(SYS_poll, as_long(&end), 1, 0) <= 0;
  }
  if (listens && bound.listening) return true;
  let_go(number); // neither side is shut down
  // This fails if the socket has kept its port. Its name tells nothing about that: the kernel forgets the
  // port and leaves the name as it is.
  reex_kept_call(SYS_bind, number, as_long(bound.address), bound.size);
  if (bound.listening && reex_kept_call(SYS_listen, number, bound.backlog) != 0) return false;
  Address now;
  return now.read(number, SYS_getsockname) && now.size == bound.size &&
         memcmp(&now.storage, bound.address, bound.size) == 0;
}

void empty_socket(int number) {
  const bool listening = option_of(number, SOL_SOCKET, SO_ACCEPTCONN) == 1;
  const bool datagrams = option_of(number, SOL_SOCKET, SO_TYPE) == SOCK_DGRAM;
  char byte = 0;
  while ((listening || datagrams) && is_ready(number, POLLIN)) {
    const long got = listening ? reex_kept_call(SYS_accept4, number, 0, 0, 0)
                               : reex_kept_call(SYS_recvfrom, number, as_long(&byte), 1, MSG_DONTWAIT);
    if (got < 0) return;
    if (listening) reex_kept_call(SYS_close, got);
  }
}

} // namespace reex
