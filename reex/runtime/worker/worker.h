// A worker: a fork of the zygote. It executes many schedules in place, or a single one.
//
// Callers: enter_worker, the zygote's code in the forked process, on the main fiber; leave, any process of
// the test.
//
// Invariants: between executions the controller runs on its own stack, while the main fiber is suspended in
// enter_worker. Before each execution but the first, every owner of state restores it. Before each execution,
// reset_runtime resets the runtime. A worker may die at any moment: what it must not lose is in the control
// block.
//
// Cost: a restore costs what snapshot.h, donor.h and shared_memory.h say; mode once costs a fork for each
// execution.
#pragma once

#include <cstddef>
#include <cstdint>

namespace reex {

// How a worker executes: many times with a restore in between; once; or once with a trace for a report.
enum class Mode : std::uint8_t { restore, once, detail };

// Exit statuses, by which a worker informs its zygote.
enum WorkerSays : int {
  k_says_finished = 0,
  k_says_next = 1,   // the execution is concluded; another worker continues
  k_says_report = 2, // a detailed execution of something new is due
  k_says_irreversible = 3,
  k_says_more_threads = 4,
  k_says_too_large = 5,
  k_says_checked = 6,  // self-check: the second execution was the same
  k_says_differs = 7,  // self-check: the second execution differed
  k_says_outdated = 8, // a new round of the search has begun
  k_says_again = 9,    // the execution was thrown away
  k_says_internal = 70,
};

// On the main fiber of a new worker. Returns there at the start of every execution.
void enter_worker(Mode mode, int log_descriptor);

// Ends the process without running its handlers.
[[noreturn]] void leave(int status);

} // namespace reex
