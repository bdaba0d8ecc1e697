// Locks of files that the test took by fcntl or lockf before its first thread. Such a lock belongs to a
// process, and a worker is another process than its zygote: there the lock would stand against the test
// itself. So the zygote gives these locks back, and each worker takes them.
//
// Callers: stated at each function.
//
// Invariants: the zygote fills the variables; workers only read them. Locks of open file descriptions (flock,
// F_OFD_SETLK) are not meant: a fork shares them.
#pragma once

namespace reex {

// In the zygote, once: remembers the locks, and gives them back.
void give_back_record_locks();
// In a worker, before its first execution, when its descriptors are in place.
void take_record_locks();
// Whether there are such locks: to close any descriptor of a locked file would give its locks back.
bool has_record_locks();

} // namespace reex
