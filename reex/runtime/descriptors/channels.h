// Descriptors that threads can wait for: pipes, sockets, eventfds, epoll instances and similar ones. They are
// called channels here. A regular file is not one: reading it never waits.
//
// Callers: the running fiber; channel_ready, the scheduler.
//
// Invariants: a worker that restores makes calls only on channels that a restore puts back
// (kept_descriptors.h); before any other, begin_channel_call or leave_restoring throws the execution away.
#pragma once

#include <cstdio>

#include "reex/runtime/core/fiber.h"

namespace reex {

struct SystemCall;

bool is_channel(int descriptor);
bool is_file(int descriptor); // a regular one, and no standard stream
// Asks the kernel, without waiting. An error, or the end of the stream, counts as ready.
bool is_ready(int descriptor, short events);
// The channels' part of is_enabled. The value of the pending operation is the set of events for which it
// waits; 0 if it never waits.
bool channel_ready(const Pending& pending);

// A call may have changed what a channel is ready for.
void note_channel_change();
// Counts these calls, if nothing else can change it: the kernel need not be asked again before. 0: something
// can.
std::uint32_t channel_changes();
template <typename Ask>
bool ask_after_change(const Pending& pending, Ask ask) {
  const std::uint32_t now = channel_changes();
  if (now == 0) return ask();
  if (pending.asked_at != now) {
    pending.was_ready = ask();
    pending.asked_at = now;
  }
  return pending.was_ready;
}

// The object of operations on the descriptor.
inline void* label_of(int descriptor) {
  return reinterpret_cast<void*>(static_cast<std::intptr_t>(descriptor) + 1);
}
inline int descriptor_at(const void* label) {
  return static_cast<int>(reinterpret_cast<std::intptr_t>(label)) - 1;
}
inline int descriptor_of(const Pending& pending) { return descriptor_at(pending.object); }

// A channel was written or read: spins that read descriptors end. Where it is not known which one, a read
// happens after all earlier writes to any channel.
void channel_sent();
void channel_received();
// Output of stdio is about to go to a stream, whose buffer may be written to a channel at once.
void stream_written(const FILE* stream);

// For races, a process that the test makes is like a channel: what came before its making happens before
// whatever threads read from pipes later, and before a thread has waited for its end.
void process_made();
void process_ended();

// If the worker restores: throws the execution away, so that it is made again in a process of its own.
// Otherwise does nothing.
void leave_restoring(long system_call);
// Before the point of a call on a channel: the same, if a restore does not put the channel back.
void begin_channel_call(long system_call, int descriptor);
// Makes a call that opens descriptors which threads can wait for. Their numbers depend on what is open: it is
// a point (but for sockets), and ordered with all calls on channels.
long make_descriptors(const SystemCall& call);

// Sets O_NONBLOCK in its scope, for a call on a descriptor that would wait.
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
