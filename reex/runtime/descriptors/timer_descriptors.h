// Timer descriptors in virtual time: each is an eventfd, to which the runtime adds the expirations as their
// time comes. So reading, polling and epoll work as on any descriptor.
#pragma once

#include <cstdint>

namespace reex {

// When the next timer will expire that anybody can notice, k_never if none.
std::uint64_t next_timer_descriptor();
// Those whose time has come.
void expire_timer_descriptors();
// Before the first thread, where the only one is about to wait for the descriptor, or for no longer than
// until `deadline`: the next timer expires.
void expire_for(int descriptor);
void expire_before(std::uint64_t deadline);
// The descriptor was closed.
void forget_timer(int descriptor);

} // namespace reex
