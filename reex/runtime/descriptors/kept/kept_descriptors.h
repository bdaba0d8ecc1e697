// Descriptors in a worker that restores. A call that changes nothing but descriptors of the process is made,
// and a restore takes it back: it closes what the execution has opened, so that the same numbers come again,
// and sets the files that were open before the first thread back to the positions that they had. These are
//  - files and folders that are opened for reading only, wherever they lie (/proc and /sys too),
//  - files in memory (memfd_create), /dev/null and /dev/zero, which may be written as well,
//  - regular files that were opened before the first thread, while they are only read,
//  - channels of which this process has all ends: pipes, sockets, eventfds, timers, and epoll instances;
//  those
//    from before the first thread are opened anew (descriptors.h).
// It does not matter who makes the call: stdio, streams and other code of libc do it unseen by the hooks.
// Only what may wait for a channel is done by the hooks alone, which ask before (is_kept_channel).
//
// Callers: the handler of the system call filter; restore_descriptors, the controller.
//
// Invariants: a descriptor in the table was opened in this execution, and the execution has not closed it.
//
// Cost: a signal and one to three system calls for each call; of a restore, a system call for each descriptor
// that is open still, and for each file that was open before the first thread, if one was moved.
#pragma once

namespace reex {

// False: a restore cannot take the call back, and it was not made. `answer`: the kernel's result.
bool make_kept_call(long number, const long* arguments, long& answer);

// Whether a restore takes back what the execution does to the channel behind the descriptor. If so, it will.
bool is_kept_channel(long descriptor);
// Whether the execution may have sent something by the internet's protocols, whose delivery the kernel may
// put off for a moment.
bool uses_internet();
void each_kept_channel(void (*visit)(int descriptor));
// The same for a descriptor of any kind that is about to be waited for.
bool is_kept(long descriptor);
// Whether a restore takes back what is done to a copy of the descriptor.
bool is_kept_copy(long descriptor);
// The execution has got this copy of one. False: there is no room, and it is closed again.
bool keep_copy(int descriptor);

// All is as it was when the worker began.
void restore_descriptors();

} // namespace reex
