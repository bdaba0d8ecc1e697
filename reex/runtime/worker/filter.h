// Watches the worker's system calls while executions are restored in place: whatever a restore cannot take
// back is caught before it happens, and the execution is thrown away.
#pragma once

namespace reex {

// False where the kernel has no seccomp filters: restoring cannot be trusted then.
bool install_filter(int log_descriptor);

// The test is about to make such a call: ends the execution, which counts for nothing.
[[noreturn]] void cannot_be_taken_back(int system_call);

} // namespace reex
