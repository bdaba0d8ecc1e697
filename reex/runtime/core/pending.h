// The next visible operation of a thread, before which it stands.
#pragma once

#include <cstdint>

#include "reex/shared/operation.h"

namespace reex {

inline constexpr std::uint64_t k_never = ~std::uint64_t{0}; // a deadline that does not come

// The next visible operation of a fiber, before which it stands.
struct Pending {
  Operation operation = Operation::none;
  void* object = nullptr;
  void* pc = nullptr;               // return address in the code that called the runtime
  void* frame = nullptr;            // its stack pointer after the return (the call frame address)
  std::uint64_t deadline = k_never; // virtual time, for operations that time ends
  std::uint64_t value = 0;          // barrier: generation; join: thread
  bool timed_out = false;
  bool notified = false;    // of a condition or futex waiter
  bool interrupted = false; // a signal handler has run while it waited, and the wait is not to go on
};

} // namespace reex
