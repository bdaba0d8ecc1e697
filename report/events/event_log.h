// The events of a run while it goes on, for editors and programs: a line of JSON for each (docs/json.md).
//
// Callers: the command line, on one thread, in this order: started(); for each test begun(), progress() and
// found(), ended(); finished() or failed().
//
// Invariants: each call of `write` gets whole lines, so that what is there is valid whenever the run is
// ended. Progress is told at once and then at most every second.
//
// Errors: none of its own; `write` may throw.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "reex/run/progress.h"
#include "reex/run/result.h"
#include "report/json.h"

namespace reex {

class EventLog {
public:
  using Time = std::chrono::steady_clock::time_point;

  explicit EventLog(std::function<void(const std::string&)> write) : m_write(std::move(write)) {}

  void started(const JsonContext& context, const std::string& binary,
               const std::vector<std::string>& arguments, const std::vector<std::string>& tests);
  // `index` is from 0.
  void begun(const std::string& test, std::size_t index, std::size_t count);
  void progress(const Progress& progress, Time now);
  void found(const Failure& failure);
  // What was decided after the exploration: failures that come of findings, findings, gaps, the verdict.
  void ended(const TestRun& run);
  void finished(const std::vector<TestRun>& runs, int status);
  // The run ended with an error of the command line or of reex.
  void failed(const std::string& error, int status);
  // What finished() writes with status 130, for a process that ends at once.
  static std::string interrupted_line();

private:
  std::function<void(const std::string&)> m_write;
  std::string m_test;
  std::optional<Time> m_last_progress;
  std::set<std::string> m_told; // keys of the test's failures
};

} // namespace reex
