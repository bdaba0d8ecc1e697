// msgsnd, msgrcv and semop. The kernel has the objects. A thread that waits tries again after each call by
// which the test changes one of them. If there are other processes that may do so, the whole process waits in
// the kernel.
#include <cerrno>
#include <sys/msg.h>
#include <sys/sem.h>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/descriptors/calls.h"
#include "reex/runtime/descriptors/channels.h"
#include "reex/runtime/descriptors/outside.h"
#include "reex/runtime/descriptors/system_v.h"
#include "reex/runtime/environment/clock.h"
#include "reex/runtime/order/buffers.h"
#include "reex/runtime/order/happens_before.h"

namespace reex {
namespace {

// Never reset: each execution with such an object has a worker of its own.
std::uint64_t g_changes = 0;
const char g_all = 0; // the object of the operations and of the happens-before edges

void* all() { return const_cast<char*>(&g_all); }

// `attempt` makes the call without waiting; `call` would wait in the kernel.
template <typename Attempt>
long wait_for(SystemV kind, const SystemCall& call, bool waits, std::uint64_t deadline, Attempt attempt) {
  leave_restoring(call.number);
  const int id = static_cast<int>(call.argument[0]);
  visible(Operation::system_v, all(), call.pc, call.frame);
  if (is_removed(kind, id)) return -EINVAL;
  if (waits && children() != Children::none) return make(call);
  long answer = 0;
  while ((answer = attempt()) == -EAGAIN || answer == -ENOMSG) {
    note_read(all(), g_changes);
    if (!waits) return answer;
    g.current->pending.value = g_changes + 1;
    wait_until(Operation::system_v, all(), deadline);
    testcancel_here();
    if (g.current->pending.interrupted) return -EINTR;
    if (is_removed(kind, id)) return -EIDRM;
    if (g.current->pending.timed_out) return -EAGAIN;
  }
  acquire_from(all());
  if (answer >= 0) system_v_changed();
  return answer;
}

long call_queue(unsigned place_of_flags, const SystemCall& call) {
  const CancellationPoint point;
  if (!g.active) return make(call);
  SystemCall attempt = call;
  attempt.argument[place_of_flags] |= IPC_NOWAIT;
  const bool waits = (call.argument[place_of_flags] & IPC_NOWAIT) == 0;
  return wait_for(SystemV::queue, call, waits, k_never, [&] { return make(attempt); });
}

long send(const SystemCall& call) { return call_queue(3, call); }
long receive(const SystemCall& call) { return call_queue(4, call); }

constexpr std::size_t k_most_operations = 500; // the kernel refuses more

int change_semaphores(int set, const sembuf* operations, std::size_t count, std::uint64_t deadline, void* pc,
                      void* frame) {
  const SystemCall call{SYS_semtimedop, {set, as_long(operations), static_cast<long>(count), 0}, pc, frame};
  if (!g.active || count == 0 || count > k_most_operations) return static_cast<int>(as_result(make(call)));
  will_read_buffer(operations, pc);
  reads_buffer(operations, static_cast<long>(count * sizeof *operations), pc);
  sembuf own[k_most_operations];
  bool waits = true;
  for (std::size_t i = 0; i < count; ++i) {
    own[i] = operations[i];
    waits = waits && (own[i].sem_flg & IPC_NOWAIT) == 0;
    own[i].sem_flg |= IPC_NOWAIT;
  }
  const SystemCall attempt{SYS_semtimedop, {set, as_long(own), static_cast<long>(count), 0}, pc, frame};
  return static_cast<int>(
      as_result(wait_for(SystemV::semaphores, call, waits, deadline, [&] { return make(attempt); })));
}

} // namespace

void system_v_point(void* pc, void* frame) {
  visible(Operation::system_v, all(), pc, frame);
  acquire_from(all());
}

void system_v_changed() {
  ++g_changes;
  release_to(&g_all);
  if (g.active) note_write(all());
}

bool system_v_ready(const Pending& pending) { return pending.value == 0 || pending.value != g_changes + 1; }

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

REEX_EXPORT int semop(int set, sembuf* operations, std::size_t count) noexcept {
  return change_semaphores(set, operations, count, k_never, REEX_READ_CALLER);
}

REEX_EXPORT int semtimedop(int set, sembuf* operations, std::size_t count, const timespec* time) noexcept {
  if (time != nullptr && !is_duration(*time)) return static_cast<int>(as_result(-EINVAL));
  return change_semaphores(set, operations, count, time == nullptr ? k_never : deadline_after(*time),
                           REEX_READ_CALLER);
}
