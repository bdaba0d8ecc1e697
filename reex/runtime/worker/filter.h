// A seccomp filter for a worker that restores. It catches every system call that a restore cannot undo before
// the kernel executes it. The execution is then thrown away.
//
// Callers: the controller, once in a worker, after the snapshot.
//
// Invariants: the filter stays until the worker ends. A new worker installs its own.
//
// Cost: a short BPF program for each system call.
#pragma once

namespace reex {

// False: the kernel has no seccomp filters, so restores cannot be trusted.
bool install_filter(int log_descriptor);

} // namespace reex
