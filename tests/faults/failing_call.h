// Runs reex with one system call that fails, once. Counted are the calls that can fail, from main() on, of
// the process itself and of a child of it until that executes another program: reex, and never the test.
//
// The tracer is the calling thread. Its process may have no other child meanwhile.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <sys/types.h>

namespace reex::tool {

struct TracedRun {
  int status = -1;    // exit status; 128 + N for a signal
  bool ended = true;  // within the limit
  unsigned calls = 0; // that could have failed, each as often as it has errors
  std::string failed; // "openat: Input/output error"; "" if fewer calls were made
  std::string output; // standard output and standard error
};

// Whether this process may trace another.
bool may_trace();

// `which`: from 0 on. `folder`: the working folder.
TracedRun run_with_failing_call(const std::vector<std::string>& command, const std::string& folder,
                                unsigned which, std::chrono::seconds limit);

} // namespace reex::tool
