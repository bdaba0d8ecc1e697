// Runs a child process for a short time and captures its output. The parent uses it to ask a test binary for
// its tests, and to see how a test ends by itself. The child's standard input is /dev/null. The child has its
// own process group, which is killed at the time limit.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace reex {

struct CapturedProcess {
  enum class End : unsigned char { exited, signalled, timed_out, not_started };
  End end = End::not_started;
  int code = 0; // exit status, signal, or errno of what failed
  std::string stdout_text;
  std::string stderr_text;
};

CapturedProcess run_captured(const std::vector<std::string>& arguments,
                             const std::vector<std::string>& environment, std::chrono::milliseconds limit,
                             const std::string& folder = ""); // to run in; "": the parent's

// Whether the process has shown that it does not work. One that takes longer than its limit, and a machine
// without room for it, show nothing.
bool shows_failure(const CapturedProcess& process);

} // namespace reex
