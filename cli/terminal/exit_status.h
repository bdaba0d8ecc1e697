// All exit statuses of reex (README.md). Scripts and hooks rely on these numbers.
#pragma once

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

} // namespace reex
