// Watches the worker's system calls while executions are restored in place: whatever a restore cannot take
// back is caught before it happens, and the execution is thrown away.
#pragma once

namespace reex {

// False where the kernel has no seccomp filters: restoring cannot be trusted then.
bool install_filter(int log_descriptor);

} // namespace reex
