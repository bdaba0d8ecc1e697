// A short-lived child process whose standard output is read: how the parent asks a test binary for its tests.
// Standard input is /dev/null; the child leads a process group of its own, which is ended at the time limit.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace reex {

struct CapturedProcess {
  enum class End : unsigned char { exited, signalled, timed_out, not_started };
  End end = End::not_started;
  int code = 0; // exit status, signal, or errno of a start that failed
  std::string stdout_text;
  std::string stderr_text; // its first 64 KiB
};

CapturedProcess run_captured(const std::vector<std::string>& arguments,
                             const std::vector<std::string>& environment, std::chrono::milliseconds limit);

} // namespace reex
