// Private anonymous memory from before the first thread that an execution unmaps, or protects otherwise, in a
// worker that restores: pools that are given back at the end, guard pages. What is unmapped stays mapped
// without any access, so that its addresses are free for a restore; natively, too, every access to it fails.
// A restore gives back the access that there was, and with it the content (restored_memory.h).
//
// Callers: make_early_memory_call, the handler of the system call filter; restore_early_memory, the
// controller.
//
// Invariants: memory that could not be written at the start stays so, because a restore does not bring its
// content back.
//
// Cost: a signal and a reading of /proc/self/maps for each call; of a restore, a system call for each mapping
// that was changed.
#pragma once

namespace reex {

// Makes a call of munmap or mprotect. False: a restore could not take it back, and it was not made. `answer`:
// the kernel's result.
bool make_early_memory_call(long number, const long* arguments, long& answer);

// Whether the execution has changed such memory. Then it may not be readable.
bool has_changed_early_memory();

// Before the restore of the content.
void restore_early_memory();

} // namespace reex
