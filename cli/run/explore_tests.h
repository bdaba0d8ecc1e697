// Explores the selected tests of a binary, one after another. They share the budget.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/options.h"
#include "cli/subject/change.h"
#include "cli/subject/tests_of_binary.h"
#include "cli/verdict/suppress.h"
#include "reex/run/options.h"
#include "report/events/event_log.h"
#include "report/progress.h"
#include "report/run_file.h"

namespace reex {

struct ExploreTests {
  const Options& options;
  const BinaryInfo& binary;
  const TestSelection& tests;
  const std::vector<std::string>& arguments;
  Change* change = nullptr; // null without a change
  RuntimeFiles runtime;
  std::string failures_folder;
  Suppressions* suppressions = nullptr;          // null for none
  std::optional<RunFile> races;                  // of --promote-from
  std::chrono::steady_clock::time_point started; // the start of the process; the budget counts from here
  EventLog* events = nullptr;                    // null if nobody asked for events
  // Bytes on the disk, of the states of several tests together: larger ones are not kept, and such a test
  // begins anew.
  std::uintmax_t most_state = 0;
  std::function<void()> on_analysed; // the analysis beside is done: the change is complete now
  std::function<bool(const Finding&)> base_has_shown{}; // of a FindingPolicy
};

using Time = std::chrono::steady_clock::time_point;

// Makes a few executions of each test, for the estimate of how many there are. It writes no files.
std::vector<TestRun> probe_tests(const ExploreTests& job);

// The path of the state of a test's run, in .reex/runs. It depends on binary, test and arguments.
std::string state_file_of(const ExploreTests& job, const std::string& test);

// Calls `done` after each test. After an interruption, no further test begins.
std::vector<TestRun> explore_tests(const ExploreTests& job, ProgressPrinter& progress,
                                   const std::function<void(const TestRun&)>& done);

} // namespace reex
