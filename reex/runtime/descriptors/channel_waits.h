// The waits of calls on channels: whether a call may wait, how long, and how its wait ends.
//
// Callers: the running fiber.
#pragma once

#include <cstdint>

#include "reex/runtime/descriptors/calls.h"

namespace reex {

long flags_of(int descriptor);             // O_*; -errno
int message_flags(const SystemCall& call); // MSG_*; 0 if it has none
bool may_wait(const SystemCall& call, long flags);
// The deadline from SO_RCVTIMEO or SO_SNDTIMEO, in virtual time.
std::uint64_t deadline_of_socket(int descriptor, int option);

// What a wait for the descriptor has come to: 0 if it is ready, -EINTR after a handler that ends the wait,
// -ECANCELED, -EAGAIN if the time has passed.
long end_of_wait(int descriptor, short events);
// Parks until the descriptor is ready, or the wait has come to another end.
long wait_until_ready(const SystemCall& call, Operation operation, short events, std::uint64_t deadline);
// The call has done nothing yet, and ends with its wait.
long without_effect(long end);

} // namespace reex
