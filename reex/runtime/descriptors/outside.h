// What happens outside the test process while it waits: child processes, and connections to other processes.
// Where there are any, virtual time passes no faster than real time, and nobody's waiting is a deadlock.
#pragma once

#include <cstdint>

#include "reex/runtime/core/objects.h"
#include "reex/runtime/machine/real_time.h"

namespace reex {

// Of all child processes.
enum class Children : std::uint8_t { none, asleep, at_work };
Children children();

// Nobody can run. Waits, in real time, until somebody can: true. False where nobody outside can help, or the
// earliest deadline has passed.
bool await_outside(std::uint64_t earliest_deadline);
// The same for a moment only, where spinning threads are to go on.
bool look_outside();

// A thread is about to wait for what a child may do. While children are at work they get time, so that
// usually all is ready when the choices are made, and they are the same in every execution. A child that
// sleeps waits for something itself. True: it is not ready, and a child may make it so at any moment. Then it
// is only looked at where nobody else can run, for the same reason.
inline constexpr std::uint64_t k_while = 1000000000;
inline constexpr std::uint64_t k_pause = 200000;
inline constexpr unsigned k_looks = 50; // at children asleep, in a row
template <class Condition>
bool is_up_to_children(Condition ready) {
  if (ready() || children() == Children::none) return false;
  const std::uint64_t end = real_now() + k_while;
  for (unsigned looks = 0; looks < k_looks && real_now() < end; pause_really(k_pause)) {
    const Children now = children();
    if (ready() || now == Children::none) return false;
    looks = now == Children::asleep ? looks + 1 : 0;
  }
  return true;
}

} // namespace reex
