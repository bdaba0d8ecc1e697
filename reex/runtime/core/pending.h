// The pending operation of a thread: the next visible operation, before which the thread has stopped.
#pragma once

#include <cstdint>

#include "reex/shared/operation.h"

namespace reex {

inline constexpr std::uint64_t k_never = ~std::uint64_t{0}; // a deadline that never comes

struct Pending {
  Operation operation = Operation::none;
  std::uint32_t expected = 0; // futex: of the word
  void* object = nullptr;
  void* pc = nullptr;               // return address in the code that called the runtime
  void* frame = nullptr;            // stack pointer of that code after the return (the call frame address)
  std::uint64_t deadline = k_never; // virtual time, for operations that end by time
  std::uint64_t value = 0; // barrier: generation; futex: bits, the highest one for a late event from outside;
                           // plain access: its size in bytes
  bool timed_out = false;
  bool notified = false; // another thread has woken this waiter (condition, futex, late event from outside)
  bool interrupted = false;              // a signal handler ran during the wait, and the wait must end
  bool spurious = false;                 // the wait ends without a notification (--spurious)
  bool is_unmapped = false;              // the memory of the object is gone: to go on faults
  bool slept = false;                    // time has passed while it waited: it has certainly begun to wait
  bool waited = false;                   // it was met while it could not be executed
  mutable bool was_ready = false;        // what the kernel has said of the channel, when it was asked last
  mutable std::uint32_t asked_at = 0;    // channel_changes() then; 0: never
  mutable std::uint64_t timer = k_never; // a wait for descriptors: of timer_for, when it was asked last
  mutable std::uint32_t timer_at = 0;    // channel_changes() then; 0: never
};

} // namespace reex
