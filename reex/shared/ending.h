// Record "ending": how the last execution ended. The worker writes it, or its zygote if the worker died.
#pragma once

#include <cstdint>

namespace reex {

enum class End : std::uint8_t {
  running,
  exited, // value: exit status
  deadlock,
  livelock,
  assertion,
  aborted,
  exception,
  signalled, // value: signal
  use_after_free,
  double_free,
  invalid_free,
  stack_use_after_return,
  use_after_destroy,
  step_limit, // value: 1 if all threads that could run only spun
  watchdog,
  memory_limit,
  diverged,     // a replay, or a prefix that did not come again
  stuck,        // a thread was held at an event for ever: outside of the schedule of imunit
  irreversible, // not an end: the execution is thrown away, a restore cannot undo what it did
  more_threads, // not an end: thrown away, more donors are needed
  impatient,    // not an end: thrown away, the test needs time that passes, or others shall have a turn
  pruned,       // cut short: an equivalent schedule was explored
};

// No thread has failed: all of them wait, spin or are held.
constexpr bool is_standstill(End end) {
  return end == End::deadlock || end == End::livelock || end == End::stuck;
}

struct Ending {
  End end = End::running;
  std::int32_t value = 0;
  std::uint32_t thread = 0;
  std::uint64_t key = 0; // from addresses: tells the failures of one run apart
  char message[1024] = {};
  std::uint32_t times_passed = 0; // how often virtual time passed while another thread could run
  std::uint32_t patience = 0;     // slices in which time stood still, at most
  // A failure that shows at the limit of steps, and the limit at which the same schedule is taken to show it.
  std::uint64_t steps = 0; // 0: it shows without a limit
  std::uint64_t limit = 0;
  bool loop_cut = false; // a suspected loop went on and did not end (Fiber::loop)
  // Nothing orders a use of a thread's stack and the return of the function that had the memory. No operation
  // stands for the return, so the reduction knows nothing of it.
  bool frame_raced = false;
};

} // namespace reex
