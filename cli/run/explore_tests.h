// Explores the selected tests of a binary one after another, with the budget shared among them.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/options.h"
#include "cli/subject/change.h"
#include "cli/subject/tests_of_binary.h"
#include "reex/run/options.h"
#include "report/progress.h"
#include "report/run_file.h"

namespace reex {

struct ExploreTests {
  const Options& options;
  const BinaryInfo& binary;
  const TestSelection& tests;
  const std::vector<std::string>& arguments;
  const Change* change = nullptr; // null without a change
  RuntimeFiles runtime;
  std::string failures_folder;
  std::optional<RunFile> races;                  // of --promote-from
  std::chrono::steady_clock::time_point started; // of the process: the budget counts from here
};

using Time = std::chrono::steady_clock::time_point;

// When the next of `left` tests must end: what is left of the budget, split evenly.
std::optional<Time> share_of_budget(std::optional<Time> deadline, Time now, std::size_t left);

// Whether --races fail or --strict-findings make these findings fail the test.
bool findings_fail(const Options& options, const std::vector<Finding>& findings);

// A few executions of each test, in order, of which nothing is kept but the estimate of what there is to do.
std::vector<TestRun> probe_tests(const ExploreTests& job);

// Where the state of a test's run is kept: .reex/runs, by binary, test and arguments.
std::string state_file_of(const ExploreTests& job, const std::string& test);

// `done` hears of each test as it ends. An interruption ends the loop after the test it hit.
std::vector<TestRun> explore_tests(const ExploreTests& job, ProgressPrinter& progress,
                                   const std::function<void(const TestRun&)>& done);

} // namespace reex
