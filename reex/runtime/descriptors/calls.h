// System calls that may have to wait for a descriptor or a child process. A thread that would wait is parked,
// as at a held lock, and the others go on; the kernel says who is ready. In use on fibers.
#pragma once

#include <cerrno>

#include "reex/runtime/core/visible.h"

namespace reex {

struct SystemCall {
  long number;
  long argument[6];
  void* pc; // of the caller, as for visible()
  void* frame;
};

// Makes the call; the kernel's answer, -errno on failure. Any other call than those that may wait goes
// straight to the kernel.
long controlled_call(const SystemCall& call);

// By kind, each in the file of its family: false if the call is none of theirs.
bool descriptor_call(const SystemCall& call, long& answer); // channels.cpp
bool poll_call(const SystemCall& call, long& answer);       // poll.cpp
bool child_call(const SystemCall& call, long& answer);      // children.cpp
bool lock_call(const SystemCall& call, long& answer);       // file_lock.cpp

// Added to the value of a pending operation that children decide (outside.h): it is ready when `notified`
// says so.
inline constexpr std::uint64_t k_late = std::uint64_t{1} << 63;
inline bool is_late(const Pending& pending) { return (pending.value & k_late) != 0; }

// Their parts of is_enabled, of pending operations that these calls have stated.
bool poll_ready(const Pending& pending);
bool child_ready(const Pending& pending);
bool file_lock_ready(const Pending& pending);

// Before the first thread time is real, but for timers: those that the call would wait for expire.
void expire_timers_for(const SystemCall& call);

// A descriptor of a file was closed, or a lock of one given back.
void file_locks_released();

inline long make(const SystemCall& call) {
  const long* a = call.argument;
  return raw_syscall(call.number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

// As libc gives it to its callers.
inline long as_result(long answer) {
  if (answer >= 0 || answer < -4095) return answer;
  errno = static_cast<int>(-answer);
  return -1;
}

// The registers that the caller relies on are pushed first: a call that fails may be a read of a spin.
#define REEX_CALL(number, ...)                                                                               \
  (__builtin_unwind_init(),                                                                                  \
   ::reex::as_result(::reex::controlled_call({(number), {__VA_ARGS__}, REEX_CALLER, REEX_FRAME})))

} // namespace reex
