// Futex calls of libraries that use a system call instruction of their own instead of libc: libgomp, the
// library of OpenMP. The runtime replaces that instruction by an invalid one. The handler of SIGILL then
// parks and wakes fibers.
#pragma once

namespace reex {

// In the zygote, before it forks workers. False: there is such a library, but none of its calls was found.
bool replace_inline_futexes();

// In a new worker: installs the handler, if an instruction was replaced.
void catch_inline_futexes();

} // namespace reex
