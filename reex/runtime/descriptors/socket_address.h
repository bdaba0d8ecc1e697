// The addresses of sockets, and whether another socket of this process is in the way of one.
//
// Callers: any code of the runtime.
#pragma once

#include <cstdint>
#include <netinet/in.h>
#include <sys/socket.h>

namespace reex {

struct Address {
  sockaddr_storage storage{};
  socklen_t size = 0;

  bool read(int number, long call); // by SYS_getsockname or SYS_getpeername
  bool is_internet() const { return storage.ss_family == AF_INET || storage.ss_family == AF_INET6; }
  std::uint16_t& port() { return reinterpret_cast<sockaddr_in*>(&storage)->sin_port; } // in both families
  bool is_host(const Address& other) const;                                            // both of the internet
  bool is_bound() { return is_internet() ? port() != 0 : size > sizeof(sa_family_t); }
};

int option_of(int number, int level, int option); // -1: it has none

// Whether what is bound to one of two addresses of the internet is in the way of the other, or reached by it.
bool may_be_one(const Address& a, const Address& b);

// Readies a socket of a stream for `address`: connections of earlier executions, which occupy it for a while
// (TIME_WAIT), shall not be in the way. Both they and the socket must have SO_REUSEADDR for that, with which
// the kernel also gives one address to two sockets of this execution. False: it is theirs, EADDRINUSE.
// Datagrams leave nothing behind.
bool free_address(int number, const sockaddr* address);

} // namespace reex
