// The default execution of a test, in detail: every choice is the default choice, nobody is preempted, and
// time passes only when no thread can run. A sleep-based test then does what its sleeps intend.
//
// Callers: the parent process.
//
// Cost: a start of the test process, and one detailed execution.
#pragma once

#include <string>
#include <vector>

#include "reex/frameworks/framework.h"
#include "reex/run/options.h"
#include "reex/run/run_error.h"

namespace reex {

struct DefaultExecution {
  RunError error;               // why there was none
  std::vector<TraceStep> steps; // with whole stacks
  std::string failure;          // its kind; "" if the test passed
  std::string message;          // of the failure
};

// `arguments` choose the test (test_filter.h).
DefaultExecution default_execution(const std::string& binary, const std::vector<std::string>& arguments,
                                   const std::string& test_name, Framework framework,
                                   const RuntimeFiles& runtime);

} // namespace reex
