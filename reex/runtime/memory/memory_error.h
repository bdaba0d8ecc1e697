// Errors of the heap that depend on the schedule: access to freed memory, double free, free of an address
// that was never allocated. Each ends the execution as a failure. A detailed execution stores the stacks at
// which blocks are allocated and freed, for the report.
//
// Callers: the running fiber. (ending.h declares use_after_free.)
#pragma once

#include <cstddef>
#include <cstdint>

namespace reex {

[[noreturn]] void double_free(void* memory);
[[noreturn]] void invalid_free(void* memory);

// In a detailed execution: the running fiber has allocated or freed the block at `memory`.
void remember_allocated(const void* memory);
void remember_freed(const void* memory);

} // namespace reex
