// System calls that may have to wait for a descriptor or a child process. The thread parks, as it does at a
// lock that is held, and the other threads continue. The kernel says what is ready.
//
// Callers: the running fiber; the functions named ..._ready, the scheduler.
//
// Cost: a few more system calls for each call on a channel, and one for each parked thread at each choice.
#pragma once

#include <cerrno>

#include "reex/runtime/core/visible.h"
#include "reex/runtime/descriptors/channels.h"
#include "reex/runtime/machine/kept_call.h"

namespace reex {

struct SystemCall {
  long number;
  long argument[6];
  void* pc; // of the caller, as for visible()
  void* frame;
  bool is_cancellation_point = false;
};

// Makes the call and returns the kernel's result: -errno on failure. A call that cannot wait goes straight to
// the kernel.
long controlled_call(const SystemCall& call);

// Makes a call of the test by `make_call`, and reports what the kernel accesses of the test's memory
// (call_memory.cpp).
using Caller = long(const SystemCall& call);
long watched_call(const SystemCall& call, Caller* make_call = controlled_call);

// One function for each family of calls, in its own file. False: the call does not belong to this family.
bool descriptor_call(const SystemCall& call, long& answer); // channels.cpp
bool connection_call(const SystemCall& call, long& answer); // connections.cpp
bool poll_call(const SystemCall& call, long& answer);       // poll.cpp
bool child_call(const SystemCall& call, long& answer);      // children.cpp
bool lock_call(const SystemCall& call, long& answer);       // file_lock.cpp
bool storage_call(const SystemCall& call, long& answer);    // storage.cpp

// A flag in the value of a pending operation that depends on children (outside.h): the operation is ready
// when `notified` is set.
inline constexpr std::uint64_t k_late = std::uint64_t{1} << 63;
inline bool is_late(const Pending& pending) { return (pending.value & k_late) != 0; }

// In a process that the test forked, where threads take turns (schedule/alone.h): the others go on while this
// one would wait in the kernel. poll_alone makes the call; false: it is not one of poll's, or does not wait.
bool poll_alone(const SystemCall& call, long& answer);

// The parts of is_enabled for the pending operations of these calls.
bool poll_ready(const Pending& pending);
bool child_ready(const Pending& pending);
bool file_lock_ready(const Pending& pending);

// Before the first thread, real time passes in calls that wait for descriptors, except for timers: the timers
// for which the call would wait expire.
void expire_timers_for(const SystemCall& call);
// The same for the time that a call gives: one that waits for nothing else is a sleep, and one that has
// waited in vain has let so much virtual time pass. False: the call is none of them, and was not made.
bool poll_before_threads(const SystemCall& call, long& answer);

// A descriptor of a file was closed, or a lock of a file was released.
void file_locks_released();

inline long make(const SystemCall& call) {
  const long* a = call.argument;
  return raw_syscall(call.number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

// The same, also where the filter of a worker that restores would not let it pass: the caller knows that a
// restore takes it back.
inline long make_kept(const SystemCall& call) {
  const long* a = call.argument;
  note_channel_change();
  return reex_kept_call(call.number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

// The same; of bind, with the address free but for sockets of this execution (connections.cpp).
long make_free(const SystemCall& call);

// The result as libc returns it.
inline long as_result(long answer) {
  if (answer >= 0 || answer < -4095) return answer;
  errno = static_cast<int>(-answer);
  return -1;
}

// Pushes the registers that the caller relies on first: a call that fails may be a read of a spin.
#define REEX_CALL(number, ...)                                                                               \
  (__builtin_unwind_init(),                                                                                  \
   ::reex::as_result(::reex::watched_call({(number), {__VA_ARGS__}, REEX_CALLER, REEX_FRAME})))
// The same for a function that is a cancellation point.
#define REEX_CANCELLABLE_CALL(number, ...)                                                                   \
  (__builtin_unwind_init(),                                                                                  \
   ::reex::as_result(::reex::watched_call({(number), {__VA_ARGS__}, REEX_CALLER, REEX_FRAME, true})))

} // namespace reex
