// Runs a command again and again, each time disturbed in another way, until it fails.
//
// Thread safety: one call at a time; the process must have one thread, because it forks.
//
// Errors: UsageError if there is no such command; std::system_error if the machine has no room.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/native/perturbation.h"

namespace reex {

struct UntilFailOptions {
  std::vector<std::string> command;
  std::uint64_t seed = 0;
  unsigned jobs = 1;                               // runs at the same time
  std::optional<std::uint64_t> runs;               // at most so many; nullopt: no limit
  std::optional<std::chrono::milliseconds> budget; // of all runs together
  std::chrono::milliseconds timeout{};             // of one run: a longer one hangs
  unsigned keep_going = 1;                         // failures to stop after; 0: never
  std::function<bool()> interrupted;
};

struct FailedRun {
  std::uint64_t number = 0; // from 1
  std::string how;          // "exit status 3", "signal 11 (Segmentation fault)", "still running after 5 s"
  std::string tail;         // the end of its output
  Perturbation perturbation;
  std::chrono::milliseconds lasted{};
};

struct UntilFailResult {
  std::uint64_t runs = 0; // that came to an end, the failed ones included
  std::uint64_t failed = 0;
  std::uint64_t cut_short = 0;     // under way when all was over: they count for nothing
  std::vector<FailedRun> failures; // the first ones
  std::chrono::milliseconds lasted{};
  bool out_of_time = false; // the budget was over
  bool interrupted = false;
};

// Called after each run, and now and then.
using UntilFailProgress = std::function<void(const UntilFailResult& so_far, const FailedRun* failure)>;

UntilFailResult run_until_fail(const UntilFailOptions& options, const UntilFailProgress& progress);

} // namespace reex
