// Futexes with priority inheritance: the word names the owner by its thread id, and the kernel hands it from
// owner to owner.
#pragma once

namespace reex {

// As futex_call (futex.h), for the operations with priority inheritance.
bool owned_futex_call(const long* arguments, void* pc, void* frame, long& result);

} // namespace reex
