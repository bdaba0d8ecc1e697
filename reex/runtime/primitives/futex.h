// Futex calls, however the test makes them.
#pragma once

namespace reex {

// `arguments`: those of SYS_futex. Returns false if the operation neither waits nor wakes: then the kernel
// must execute it. Otherwise `result` is what libc's syscall() returns, and errno is set.
bool futex_call(const long* arguments, void* pc, void* frame, long& result);

} // namespace reex
