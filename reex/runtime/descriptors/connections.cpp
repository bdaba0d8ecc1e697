// connect, bind and listen.
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include "reex/runtime/descriptors/calls.h"
#include "reex/runtime/descriptors/channel_waits.h"
#include "reex/runtime/descriptors/kept/inside.h"
#include "reex/runtime/descriptors/socket_address.h"
#include "reex/runtime/descriptors/untouched.h"
#include "reex/runtime/descriptors/uses.h"

namespace reex {
namespace {

// Of a call of connect or bind.
const sockaddr* address_of(const SystemCall& call) {
  return reinterpret_cast<const sockaddr*>(call.argument[1]);
}
socklen_t size_of(const SystemCall& call) { return static_cast<socklen_t>(call.argument[2]); }

// Nothing has changed: this may be a spin. If the address belongs to no socket of the test, another process
// may listen there at any time.
long refused(const SystemCall& call, long error) {
  const int descriptor = static_cast<int>(call.argument[0]);
  if (!is_name_inside(descriptor, address_of(call), size_of(call))) ++g.unrest;
  note_read(label_of(descriptor), static_cast<std::uint64_t>(error));
  return error;
}

long connect(const SystemCall& call) {
  constexpr int k_handshake = 50; // ms that a connection within the machine may take
  const int descriptor = static_cast<int>(call.argument[0]);
  if (g.in_place && !leads_inside(descriptor, address_of(call), size_of(call)) &&
      !may_be_tried(descriptor, address_of(call), size_of(call)))
    leave_restoring(call.number);
  begin_channel_call(call.number, descriptor);
  const long flags = flags_of(descriptor);
  const bool waits = may_wait(call, flags);
  long answer = 0;
  bool tries = false; // nobody in this process listens there
  for (;;) {
    visible(Operation::channel_connect, label_of(descriptor), call.pc, call.frame);
    use_descriptor(descriptor, call.pc);
    note_look(descriptor);
    tries = g.in_place && !leads_inside(descriptor, address_of(call), size_of(call));
    const WithoutWaiting now(descriptor, waits ? flags : -1);
    answer = make_kept(call);
    if (answer != -EAGAIN || !waits) break;
    note_read(label_of(descriptor), 0); // the listener's queue is full; the kernel has no wait for that
  }
  pollfd made{descriptor, POLLOUT, 0};
  if (answer == -EINPROGRESS) reex_kept_call(SYS_poll, as_long(&made), 1, k_handshake);
  const bool is_refused = answer == -EINPROGRESS ? (made.revents & POLLERR) != 0 : answer < 0;
  if (tries && !is_refused) leave_restoring(call.number); // another process has accepted it
  if (is_refused) return refused(call, answer == -EINPROGRESS && waits ? make_kept(call) : answer);
  touch(descriptor);
  channel_sent();
  if (answer == -EINPROGRESS && made.revents == 0) g.connecting = true;
  if (answer != -EINPROGRESS || !waits) return answer;
  if (made.revents == 0)
    if (const long end = wait_until_ready(call, Operation::channel_connect, POLLOUT,
                                          deadline_of_socket(descriptor, SO_SNDTIMEO));
        end != 0)
      return end == -EAGAIN ? -EINPROGRESS : without_effect(end);
  channel_received();
  return make_kept(call); // what has come of it
}

// From bind and listen on, others reach the socket. For them, it is written.
long open_to_others(const SystemCall& call) {
  const int descriptor = static_cast<int>(call.argument[0]);
  begin_channel_call(call.number, descriptor);
  visible(call.number == SYS_bind ? Operation::channel_bind : Operation::channel_listen, label_of(descriptor),
          call.pc, call.frame);
  use_descriptor(descriptor, call.pc);
  channel_sent();
  return make_free(call);
}

} // namespace

long make_free(const SystemCall& call) {
  const bool taken =
      call.number == SYS_bind && !free_address(static_cast<int>(call.argument[0]), address_of(call));
  if (taken) return -EADDRINUSE;
  return call.number == SYS_listen ? make_kept(call) : make(call);
}

bool connection_call(const SystemCall& call, long& answer) {
  switch (call.number) {
  case SYS_connect:
    answer = connect(call);
    return true;
  case SYS_bind:
  case SYS_listen:
    answer = open_to_others(call);
    return true;
  default:
    return false;
  }
}

} // namespace reex
