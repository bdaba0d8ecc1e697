// Descriptors that threads can wait for: pipes, sockets, eventfds, epoll instances and their kin, called
// channels here. Regular files are none: reading them never waits.
#pragma once

#include "reex/runtime/core/fiber.h"

namespace reex {

bool is_channel(int descriptor);
// Asks the kernel, without waiting. Errors and the other side's end count as ready.
bool is_ready(int descriptor, short events);
// The channels' part of is_enabled. The pending operation's value: the events it waits for, 0 if it never
// waits.
bool channel_ready(const Pending& pending);

// How descriptors are named as objects of operations.
inline void* label_of(int descriptor) {
  return reinterpret_cast<void*>(static_cast<std::intptr_t>(descriptor) + 1);
}
inline int descriptor_of(const Pending& pending) {
  return static_cast<int>(reinterpret_cast<std::intptr_t>(pending.object)) - 1;
}

// Something came out of a channel, or went in: spins that read descriptors are over. What comes out of one
// channel happens after all that went into any before.
void channel_sent();
void channel_received();

// In restore mode: the execution is thrown away, to be made in a process of its own. Else nothing.
void leave_restoring(long system_call);

// A call that is not to wait, on a descriptor that would: O_NONBLOCK for its duration.
class WithoutWaiting {
public:
  WithoutWaiting(int descriptor, long flags);
  ~WithoutWaiting();
  WithoutWaiting(const WithoutWaiting&) = delete;
  WithoutWaiting& operator=(const WithoutWaiting&) = delete;

private:
  int m_descriptor;
  long m_flags;
};

} // namespace reex
