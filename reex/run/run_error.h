// Why a command did not do with a test what it was asked to: a kind, which decides the exit status
// (run_status.cpp), and a text for people. No status is decided from a text.
#pragma once

#include <cstdint>
#include <string>

namespace reex {

enum class ErrorKind : std::uint8_t {
  none,
  no_threads,   // the test ended without a second thread
  not_started,  // the test does not start, or fails before its first thread
  uncontrolled, // the test uses what reex cannot control, or does not repeat itself
  diverged,     // a recorded schedule no longer does what was recorded
  damaged,      // the test has overwritten the memory that it shares with reex
  machine,      // the machine refuses what reex needs: a full disk, a limit of the shell
  internal      // an error of reex
};
const char* to_string(ErrorKind kind); // "none" is never written

struct RunError {
  ErrorKind kind = ErrorKind::none;
  std::string text = ""; // one line; "" if no reason is known

  explicit operator bool() const { return kind != ErrorKind::none; }
};

} // namespace reex
