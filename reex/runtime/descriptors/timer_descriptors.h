// Timer descriptors in virtual time. Each is an eventfd. When its time comes, the runtime adds the
// expirations to it. So reading, polling and epoll work as on any descriptor.
//
// The table of timers belongs to one execution, and begins as the one of the zygote.
#pragma once

#include <cstdint>

#include "reex/runtime/core/pending.h"

namespace reex {

// The next expiration that somebody can notice; k_never if there is none.
std::uint64_t next_timer_descriptor();
// When the first timer that would end this wait for descriptors expires; k_never if none would. The wait goes
// on now.
std::uint64_t timer_for(const Pending& wait);
// Expires the timers whose time has come.
void expire_timer_descriptors();
// Before the first thread, when the only thread is about to wait for the descriptor (expire_for), or at most
// until `deadline` (expire_before): the next timer expires.
void expire_for(int descriptor);
void expire_before(std::uint64_t deadline);
// The descriptor is being closed.
void forget_timer(int descriptor);

// In a worker, before its first execution, and in a restore.
void snapshot_timer_descriptors();
void restore_timer_descriptors();

} // namespace reex
