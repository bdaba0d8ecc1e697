// Errors of memory that depend on the schedule: access to freed memory, double free, free of an address that
// was never allocated, access to another thread's stack where nothing lives any more. Each ends the execution
// as a failure. A detailed execution stores the stacks at which blocks are allocated and freed, for the
// report.
//
// Callers: the running fiber. (ending.h declares use_after_free.)
#pragma once

#include <cstddef>
#include <cstdint>

#include "reex/shared/findings.h"

namespace reex {

[[noreturn]] void double_free(void* memory);
[[noreturn]] void invalid_free(void* memory);

struct DeadStackAccess {
  unsigned owner; // the thread whose stack it is
  bool has_ended;
  unsigned size; // bytes; 0: the access uses a synchronization object
  FindingAct act;
};
[[noreturn]] void stack_use_after_return(const DeadStackAccess& access);

// In a detailed execution: the running fiber has allocated or freed the block at `memory`.
void remember_allocated(const void* memory);
void remember_freed(const void* memory);

} // namespace reex
