// All exit statuses of reex (README.md). Scripts and hooks rely on these numbers.
#pragma once

#include "reex/run/run_error.h"

namespace reex {

enum class ExitStatus : int {
  passed = 0,       // nothing failed within the stated bound
  failed = 1,       // a failing schedule was found
  usage = 2,        // an error in the usage or the configuration
  inconclusive = 3, // an execution had no verdict; or, with --strict, the run ended before the bound
  not_started = 4,  // the test does not start, or the base fails too
  uncontrolled = 5, // nothing was under control, or the binary was not built from the commit
  unresolved = 6,   // the base or the diff cannot be resolved
  diverged = 7,     // a replay diverged
  internal = 70,    // an error of reex
  skipped = 77,
  interrupted = 130 // the partial reports were written
};

// What a command ends with because of an error in a test or around it.
constexpr ExitStatus status_of(ErrorKind kind) {
  switch (kind) {
  case ErrorKind::none:
    return ExitStatus::passed;
  case ErrorKind::not_started:
    return ExitStatus::not_started;
  case ErrorKind::no_threads:
  case ErrorKind::uncontrolled:
    return ExitStatus::uncontrolled;
  case ErrorKind::diverged:
    return ExitStatus::diverged;
  case ErrorKind::damaged:
  case ErrorKind::machine:
  case ErrorKind::internal:
    break;
  }
  return ExitStatus::internal;
}

} // namespace reex
