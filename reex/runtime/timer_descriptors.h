// Timer descriptors in virtual time: each is an eventfd, to which the runtime adds the expirations as their
// time comes. So reading, polling and epoll work as on any descriptor.
#pragma once

#include <cstdint>

namespace reex {

// When the next timer will expire that anybody can notice, k_never if none.
std::uint64_t next_timer_descriptor();
// Those whose time has come.
void expire_timer_descriptors();
// The descriptor was closed.
void forget_timer(int descriptor);

} // namespace reex
