// libc's functions for calls on descriptors that may wait (channels.cpp, connections.cpp). What the kernel
// accesses of the caller's memory is in call_memory.cpp.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "reex/runtime/core/runtime.h"
#include "reex/runtime/descriptors/calls.h"
#include "reex/runtime/descriptors/kept/descriptors.h"
#include "reex/runtime/environment/random.h"
#include "reex/runtime/machine/platform.h"

using namespace reex;

// A random device never ends.
#define REEX_READ()                                                                                          \
  do {                                                                                                       \
    const ssize_t got = REEX_CANCELLABLE_CALL(SYS_read, descriptor, as_long(data), static_cast<long>(size)); \
    if (got != 0 || size == 0 || !begin_device_anew(descriptor)) return got;                                 \
  } while (true)

REEX_EXPORT ssize_t read(int descriptor, void* data, std::size_t size) { REEX_READ(); }
REEX_EXPORT ssize_t __read_chk(int descriptor, void* data, std::size_t size, std::size_t) { REEX_READ(); }

REEX_EXPORT ssize_t readv(int descriptor, const iovec* parts, int count) {
  return REEX_CANCELLABLE_CALL(SYS_readv, descriptor, as_long(parts), count);
}

REEX_EXPORT ssize_t write(int descriptor, const void* data, std::size_t size) {
  return REEX_CANCELLABLE_CALL(SYS_write, descriptor, as_long(data), static_cast<long>(size));
}

REEX_EXPORT ssize_t writev(int descriptor, const iovec* parts, int count) {
  return REEX_CANCELLABLE_CALL(SYS_writev, descriptor, as_long(parts), count);
}

REEX_EXPORT ssize_t pread(int descriptor, void* data, std::size_t size, off_t at) {
  return REEX_CANCELLABLE_CALL(SYS_pread64, descriptor, as_long(data), static_cast<long>(size), at);
}
REEX_EXPORT ssize_t pread64(int descriptor, void* data, std::size_t size, off64_t at)
    __attribute__((alias("pread")));

REEX_EXPORT ssize_t __pread_chk(int descriptor, void* data, std::size_t size, off_t at, std::size_t) {
  return REEX_CANCELLABLE_CALL(SYS_pread64, descriptor, as_long(data), static_cast<long>(size), at);
}
REEX_EXPORT ssize_t __pread64_chk(int descriptor, void* data, std::size_t size, off64_t at, std::size_t)
    __attribute__((alias("__pread_chk")));

REEX_EXPORT ssize_t pwrite(int descriptor, const void* data, std::size_t size, off_t at) {
  return REEX_CANCELLABLE_CALL(SYS_pwrite64, descriptor, as_long(data), static_cast<long>(size), at);
}
REEX_EXPORT ssize_t pwrite64(int descriptor, const void* data, std::size_t size, off64_t at)
    __attribute__((alias("pwrite")));

REEX_EXPORT ssize_t preadv(int descriptor, const iovec* parts, int count, off_t at) {
  return REEX_CANCELLABLE_CALL(SYS_preadv, descriptor, as_long(parts), count, at);
}
REEX_EXPORT ssize_t preadv64(int descriptor, const iovec* parts, int count, off64_t at)
    __attribute__((alias("preadv")));

REEX_EXPORT ssize_t preadv2(int descriptor, const iovec* parts, int count, off_t at, int flags) {
  return REEX_CANCELLABLE_CALL(SYS_preadv2, descriptor, as_long(parts), count, at, 0, flags);
}
REEX_EXPORT ssize_t preadv64v2(int descriptor, const iovec* parts, int count, off64_t at, int flags)
    __attribute__((alias("preadv2")));

REEX_EXPORT ssize_t pwritev(int descriptor, const iovec* parts, int count, off_t at) {
  return REEX_CANCELLABLE_CALL(SYS_pwritev, descriptor, as_long(parts), count, at);
}
REEX_EXPORT ssize_t pwritev64(int descriptor, const iovec* parts, int count, off64_t at)
    __attribute__((alias("pwritev")));

REEX_EXPORT ssize_t pwritev2(int descriptor, const iovec* parts, int count, off_t at, int flags) {
  return REEX_CANCELLABLE_CALL(SYS_pwritev2, descriptor, as_long(parts), count, at, 0, flags);
}
REEX_EXPORT ssize_t pwritev64v2(int descriptor, const iovec* parts, int count, off64_t at, int flags)
    __attribute__((alias("pwritev2")));

REEX_EXPORT int close(int descriptor) {
  return static_cast<int>(REEX_CANCELLABLE_CALL(SYS_close, descriptor));
}

REEX_EXPORT int dup2(int from, int to) noexcept { return static_cast<int>(REEX_CALL(SYS_dup2, from, to)); }

REEX_EXPORT int dup3(int from, int to, int flags) noexcept {
  return static_cast<int>(REEX_CALL(SYS_dup3, from, to, flags));
}

REEX_EXPORT int eventfd_read(int descriptor, std::uint64_t* value) {
  return REEX_CANCELLABLE_CALL(SYS_read, descriptor, as_long(value), sizeof *value) == sizeof *value ? 0 : -1;
}

REEX_EXPORT int eventfd_write(int descriptor, std::uint64_t value) {
  return REEX_CANCELLABLE_CALL(SYS_write, descriptor, as_long(&value), sizeof value) == sizeof value ? 0 : -1;
}

REEX_EXPORT ssize_t recv(int descriptor, void* data, std::size_t size, int flags) {
  return REEX_CANCELLABLE_CALL(SYS_recvfrom, descriptor, as_long(data), static_cast<long>(size), flags);
}

REEX_EXPORT ssize_t __recv_chk(int descriptor, void* data, std::size_t size, std::size_t, int flags) {
  return REEX_CANCELLABLE_CALL(SYS_recvfrom, descriptor, as_long(data), static_cast<long>(size), flags);
}

REEX_EXPORT ssize_t recvfrom(int descriptor, void* __restrict data, std::size_t size, int flags,
                             sockaddr* __restrict address, socklen_t* __restrict length) {
  return REEX_CANCELLABLE_CALL(SYS_recvfrom, descriptor, as_long(data), static_cast<long>(size), flags,
                               as_long(address), as_long(length));
}

REEX_EXPORT ssize_t __recvfrom_chk(int descriptor, void* __restrict data, std::size_t size, std::size_t,
                                   int flags, sockaddr* __restrict address, socklen_t* __restrict length) {
  return REEX_CANCELLABLE_CALL(SYS_recvfrom, descriptor, as_long(data), static_cast<long>(size), flags,
                               as_long(address), as_long(length));
}

REEX_EXPORT ssize_t recvmsg(int descriptor, msghdr* message, int flags) {
  return REEX_CANCELLABLE_CALL(SYS_recvmsg, descriptor, as_long(message), flags);
}

REEX_EXPORT int recvmmsg(int descriptor, mmsghdr* messages, unsigned count, int flags, timespec* timeout) {
  return static_cast<int>(REEX_CANCELLABLE_CALL(SYS_recvmmsg, descriptor, as_long(messages), count,
                                                flags | MSG_WAITFORONE, as_long(timeout)));
}

REEX_EXPORT ssize_t send(int descriptor, const void* data, std::size_t size, int flags) {
  return REEX_CANCELLABLE_CALL(SYS_sendto, descriptor, as_long(data), static_cast<long>(size), flags);
}

REEX_EXPORT ssize_t sendto(int descriptor, const void* data, std::size_t size, int flags,
                           const sockaddr* address, socklen_t length) {
  return REEX_CANCELLABLE_CALL(SYS_sendto, descriptor, as_long(data), static_cast<long>(size), flags,
                               as_long(address), length);
}

REEX_EXPORT ssize_t sendmsg(int descriptor, const msghdr* message, int flags) {
  return REEX_CANCELLABLE_CALL(SYS_sendmsg, descriptor, as_long(message), flags);
}

REEX_EXPORT int sendmmsg(int descriptor, mmsghdr* messages, unsigned count, int flags) {
  return static_cast<int>(REEX_CANCELLABLE_CALL(SYS_sendmmsg, descriptor, as_long(messages), count, flags));
}

REEX_EXPORT int accept(int descriptor, sockaddr* __restrict address, socklen_t* __restrict length) {
  return static_cast<int>(REEX_CANCELLABLE_CALL(SYS_accept, descriptor, as_long(address), as_long(length)));
}

REEX_EXPORT int accept4(int descriptor, sockaddr* __restrict address, socklen_t* __restrict length,
                        int flags) {
  return static_cast<int>(
      REEX_CANCELLABLE_CALL(SYS_accept4, descriptor, as_long(address), as_long(length), flags));
}

REEX_EXPORT int connect(int descriptor, const sockaddr* address, socklen_t length) {
  return static_cast<int>(REEX_CANCELLABLE_CALL(SYS_connect, descriptor, as_long(address), length));
}

REEX_EXPORT int socketpair(int domain, int type, int protocol, int* ends) noexcept {
  const long made = REEX_CALL(SYS_socketpair, domain, type, protocol, as_long(ends));
  if (made == 0) remember_pair(ends);
  return static_cast<int>(made);
}

REEX_EXPORT int pipe2(int* ends, int flags) noexcept {
  return static_cast<int>(REEX_CALL(SYS_pipe2, as_long(ends), flags));
}

REEX_EXPORT int pipe(int* ends) noexcept { return static_cast<int>(REEX_CALL(SYS_pipe2, as_long(ends), 0)); }

REEX_EXPORT int eventfd(unsigned value, int flags) noexcept {
  return static_cast<int>(REEX_CALL(SYS_eventfd2, static_cast<long>(value), flags));
}

REEX_EXPORT int epoll_create(int size) noexcept {
  return static_cast<int>(REEX_CALL(SYS_epoll_create, size));
}

REEX_EXPORT int epoll_create1(int flags) noexcept {
  return static_cast<int>(REEX_CALL(SYS_epoll_create1, flags));
}

REEX_EXPORT int socket(int domain, int type, int protocol) noexcept {
  return static_cast<int>(REEX_CALL(SYS_socket, domain, type, protocol));
}

REEX_EXPORT int dup(int descriptor) noexcept { return static_cast<int>(REEX_CALL(SYS_dup, descriptor)); }

REEX_EXPORT int bind(int descriptor, const sockaddr* address, socklen_t length) noexcept {
  return static_cast<int>(REEX_CALL(SYS_bind, descriptor, as_long(address), length));
}

REEX_EXPORT int listen(int descriptor, int backlog) noexcept {
  return static_cast<int>(REEX_CALL(SYS_listen, descriptor, backlog));
}

REEX_EXPORT int shutdown(int descriptor, int how) noexcept {
  return static_cast<int>(REEX_CALL(SYS_shutdown, descriptor, how));
}
