// What happens outside the test process while its threads wait: child processes, and connections to other
// processes. If there are any, virtual time passes no faster than real time, and no wait is a deadlock.
//
// Callers: the running fiber; await_outside and look_outside, the scheduler on it.
//
// Invariants: a worker that restores has nothing outside; then these functions return at once and wait for
// nothing. The variables are scratch space.
//
// Cost: reads of /proc, and pauses of 0.2 ms.
#pragma once

#include <cstdint>

#include "reex/runtime/core/objects.h"
#include "reex/runtime/machine/real_time.h"
#include "reex/runtime/record/unexplored.h"

namespace reex {

// The state of all child processes together.
enum class Children : std::uint8_t { none, asleep, at_work };
Children children();

// Whether the process is not there any more, or waits only for its parent to be told.
bool has_ended(long process);

// No thread can run. Waits in real time until one can: true. False: nobody outside can help, or the earliest
// deadline has passed.
bool await_outside(std::uint64_t earliest_deadline);
// Whether another process may do what a thread waits for.
bool somebody_outside();
// Looks only for a moment, because spinning threads shall continue.
bool look_outside(std::uint64_t earliest_deadline);
// Whether spinning threads shall continue before time jumps to the deadline: somebody outside may need it.
bool takes_real_time(std::uint64_t deadline);

// For a thread that is about to wait for something that a child may do. Children that are at work get time,
// so that usually all is ready when the choices are made, and the choices are the same in every execution. A
// child that sleeps waits for something itself. True: it is not ready, and a child may make it ready at any
// moment. Then reex looks at it only when no thread can run, for the same reason.
inline constexpr std::uint64_t k_while = 1000000000;
inline constexpr std::uint64_t k_pause = 200000;
inline constexpr unsigned k_looks = 50; // looks in a row at which all children were asleep
template <class Condition>
bool is_up_to_children(Condition ready, unsigned most_looks = k_looks) {
  if (ready() || children() == Children::none) return false;
  note_outside();
  const std::uint64_t end = real_now() + k_while;
  for (unsigned looks = 0; looks < most_looks && real_now() < end; pause_really(k_pause)) {
    const Children now = children();
    if (ready() || now == Children::none) return false;
    looks = now == Children::asleep ? looks + 1 : 0;
  }
  return true;
}

} // namespace reex
