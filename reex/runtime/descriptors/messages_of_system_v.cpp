// msgsnd and msgrcv. The kernel has the queues. A thread that waits tries again after each call by which the
// test changes one of them. If there are other processes that may do so, the whole process waits in the
// kernel.
#include <cerrno>
#include <sys/msg.h>

#include "reex/runtime/core/visible.h"
#include "reex/runtime/descriptors/calls.h"
#include "reex/runtime/descriptors/channels.h"
#include "reex/runtime/descriptors/message_queues.h"
#include "reex/runtime/descriptors/outside.h"
#include "reex/runtime/order/buffers.h"
#include "reex/runtime/order/happens_before.h"

namespace reex {
namespace {

// Never reset: each execution with such a queue has a worker of its own.
std::uint64_t g_changes = 0;
const char g_all_queues = 0; // the object of the operations and of the happens-before edges

long without_waiting(SystemCall call, unsigned place_of_flags) {
  call.argument[place_of_flags] |= IPC_NOWAIT;
  return make(call);
}

void changed() {
  ++g_changes;
  release_to(&g_all_queues);
}

long call_queue(Operation operation, unsigned place_of_flags, const SystemCall& call) {
  const CancellationPoint point;
  if (!g.active) return make(call);
  leave_restoring(call.number);
  void* const object = const_cast<char*>(&g_all_queues);
  visible(operation, object, call.pc, call.frame);
  const bool waits = (call.argument[place_of_flags] & IPC_NOWAIT) == 0;
  if (waits && children() != Children::none) return make(call);
  long answer = 0;
  while ((answer = without_waiting(call, place_of_flags)) == -EAGAIN || answer == -ENOMSG) {
    note_read(object, g_changes);
    if (!waits) return answer;
    g.current->pending.value = k_of_system_v | g_changes;
    wait_until(operation, object, k_never);
    testcancel_here();
    if (g.current->pending.interrupted) return -EINTR;
  }
  acquire_from(object);
  if (answer >= 0) changed();
  note_write(object);
  return answer;
}

long send(const SystemCall& call) { return call_queue(Operation::message_send, 3, call); }
long receive(const SystemCall& call) { return call_queue(Operation::message_receive, 4, call); }

} // namespace

bool system_v_queue_changed(const Pending& pending) { return pending.value != (k_of_system_v | g_changes); }

} // namespace reex

using namespace reex;

REEX_EXPORT int msgsnd(int queue, const void* message, std::size_t size, int flags) {
  __builtin_unwind_init();
  return static_cast<int>(as_result(watched_call(
      {SYS_msgsnd, {queue, as_long(message), static_cast<long>(size), flags}, REEX_CALLER, REEX_FRAME},
      send)));
}

REEX_EXPORT ssize_t msgrcv(int queue, void* message, std::size_t size, long type, int flags) {
  __builtin_unwind_init();
  return as_result(watched_call(
      {SYS_msgrcv, {queue, as_long(message), static_cast<long>(size), type, flags}, REEX_CALLER, REEX_FRAME},
      receive));
}

REEX_EXPORT int msgctl(int queue, int command, msqid_ds* told) noexcept {
  const bool tells = command == IPC_STAT;
  if (tells) will_write_buffer(told, REEX_CALLER);
  if (command == IPC_SET) reads_object(told, REEX_CALLER);
  const long answer = raw_syscall(SYS_msgctl, queue, command, as_long(told));
  if (tells && answer >= 0) writes_object(told, REEX_CALLER);
  if (command == IPC_RMID || command == IPC_SET) changed();
  return static_cast<int>(as_result(answer));
}
