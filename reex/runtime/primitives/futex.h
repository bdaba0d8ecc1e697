// Futex calls under control, however they are made.
#pragma once

namespace reex {

// The arguments of SYS_futex. False if the operation is none of waiting and waking: the kernel's affair. Else
// `result` is what libc's syscall() returns; errno is set.
bool futex_call(const long* arguments, void* pc, void* frame, long& result);

} // namespace reex
