// Libraries that make futex calls with a system call instruction of their own, and not through libc: libgomp,
// OpenMP's. There the instruction is replaced by an invalid one, whose handler parks and wakes fibers.
#pragma once

namespace reex {

// In the zygote, before workers are forked. False if there is such a library, and no such call was found.
bool replace_inline_futexes();

// In a worker: puts the handler in place. Costs nothing where nothing was replaced.
void catch_inline_futexes();

} // namespace reex
