// A worker: a fork of the zygote that executes schedules, many in place or a single one.
#pragma once

#include <cstddef>
#include <cstdint>

namespace reex {

// How a worker executes: over and over with a restore in between, once, or once with a trace for a report.
enum class Mode : std::uint8_t { restore, once, detail };

// Exit statuses of a worker, for its zygote.
enum WorkerSays : int {
  k_says_finished = 0,
  k_says_next = 1,   // the execution is concluded; another worker is to go on
  k_says_report = 2, // something new is to be executed once more, in detail
  k_says_irreversible = 3,
  k_says_more_threads = 4,
  k_says_too_large = 5,
  k_says_checked = 6,  // the first schedule came again
  k_says_differs = 7,  // it did not
  k_says_outdated = 8, // the search began anew
  k_says_internal = 70,
};

// On the main fiber, in a fresh worker; returns there at the start of every execution.
void enter_worker(Mode mode, int log_descriptor);

// Ends the process without any of its handlers.
[[noreturn]] void leave(int status);

} // namespace reex
