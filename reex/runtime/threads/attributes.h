// What a test asks for in a pthread_attr_t. glibc keeps and checks the values as they are set; a creation
// reads them here, and checks what glibc checks only then.
#pragma once

#include <pthread.h>

#include "reex/runtime/core/fiber.h"

namespace reex {

struct Attributes {
  bool detached = false;
  bool explicit_scheduling = false; // not that of the creator
  bool has_policy = false;          // these were set; otherwise the creator's is taken all the same
  bool has_priority = false;
  int policy = 0;
  int priority = 0;
  bool has_processors = false;
  cpu_set_t processors;
  bool has_mask = false;
  std::uint64_t mask = 0;    // set of signals
  char* stack_end = nullptr; // of a stack of the test's own; null: reex provides one
  std::size_t stack_size = 0;
  std::size_t guard_size = 0;
};

// Null: the default attributes. Returns an error number.
int read_attributes(Attributes& read, const pthread_attr_t* given);

// Gives the new thread what was asked for. Returns an error number.
int apply_scheduling(Scheduling& made, const Attributes& wanted);

} // namespace reex
