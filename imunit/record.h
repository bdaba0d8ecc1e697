// Makes a log of the trace of an execution: what the threads did, told by the statements of the test's own
// file.
//
// A thread runs to its next visible operation at once, so all that it does before is logged there. Statements
// without a visible operation are logged too, where the thread must have passed them.
//
// A statement belongs to the log if its function is the test, a thread's, a task's (a lambda of the test that
// another thread executes), or one that sleeps or creates threads. Other functions of the file are callees.
//
// Cost: the steps times the functions of the file.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "imunit/log.h"
#include "reex/run/result.h"

namespace reex::inference {

struct LeftOut {
  unsigned line = 0; // of the test's file; 0: elsewhere
  std::string what;  // "sleep"
  std::string why;   // "in a loop"

  auto operator<=>(const LeftOut&) const = default;
};

struct Recorded {
  Log log;
  std::set<int> bodies;               // the functions whose statements are in the log
  std::map<int, int> thread_function; // by thread: the function that it executes, of the file
  std::set<StatementId> sleeps;       // statements that are nothing but a sleep, once
  std::vector<LeftOut> left_out;      // sleeps that are no part of a schedule
};

// The operation of a step that only says: the thread begins its next one.
inline constexpr std::string_view k_arrival = "arrival";

struct Execution {
  std::vector<TraceStep> steps; // each with its whole stack
  // By step: whether the thread stood still before it. Empty: it is told from the switches, and from what
  // virtual time says.
  std::vector<bool> stood_still = {};
};

Recorded record_log(const Execution& execution, const Source& source);

// The file of the test: of the outermost of the user's functions on the stacks of the first thread, below
// main() if a framework calls the tests; "" if there is none.
std::string test_file(const std::vector<TraceStep>& steps, bool framework);

// "add", "done", or "step": what names the statement.
std::string callee_of(const Source& source, StatementId statement);

} // namespace reex::inference
