#include "reex/runtime/descriptors/channel_waits.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "reex/runtime/core/virtual_time.h"
#include "reex/runtime/signals/signals.h"

namespace reex {

long flags_of(int descriptor) { return reex_kept_call(SYS_fcntl, descriptor, F_GETFL); }

int message_flags(const SystemCall& call) {
  switch (call.number) {
  case SYS_recvfrom:
  case SYS_recvmmsg:
  case SYS_sendto:
  case SYS_sendmmsg:
    return static_cast<int>(call.argument[3]);
  case SYS_recvmsg:
  case SYS_sendmsg:
    return static_cast<int>(call.argument[2]);
  default:
    return 0;
  }
}

bool may_wait(const SystemCall& call, long flags) {
  constexpr int k_never_waits = MSG_DONTWAIT | MSG_OOB | MSG_ERRQUEUE;
  return flags >= 0 && (flags & O_NONBLOCK) == 0 && (message_flags(call) & k_never_waits) == 0;
}

std::uint64_t deadline_of_socket(int descriptor, int option) {
  timeval limit{};
  socklen_t size = sizeof limit;
  if (reex_kept_call(SYS_getsockopt, descriptor, SOL_SOCKET, option, as_long(&limit), as_long(&size)) != 0 ||
      (limit.tv_sec == 0 && limit.tv_usec == 0))
    return k_never;
  return g_time.now + static_cast<std::uint64_t>(limit.tv_sec) * 1000000000 +
         static_cast<std::uint64_t>(limit.tv_usec) * 1000;
}

long end_of_wait(int descriptor, short events) {
  if (is_ready(descriptor, events)) return 0;
  const Pending& pending = g.current->pending;
  if (ended_by_cancellation()) return -ECANCELED;
  if (pending.interrupted) return -EINTR;
  return pending.timed_out ? -EAGAIN : 0;
}

long wait_until_ready(const SystemCall& call, Operation operation, short events, std::uint64_t deadline) {
  const int descriptor = static_cast<int>(call.argument[0]);
  g.current->pending.value = static_cast<std::uint64_t>(events);
  wait_until(operation, label_of(descriptor), deadline);
  return end_of_wait(descriptor, events);
}

long without_effect(long end) {
  testcancel_here();
  return end;
}

} // namespace reex
