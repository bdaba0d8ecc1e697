// The exit statuses of reex, all of them: scripts and hooks rely on these numbers.
#pragma once

namespace reex {

enum class ExitStatus : int {
  passed = 0,       // nothing failed within the stated bound
  failed = 1,       // a failing schedule was found
  usage = 2,        // usage or configuration
  inconclusive = 3, // ended before the bound, with --strict; or no execution came to an end of its own
  not_started = 4,  // the test does not start, or fails at the base, too
  uncontrolled = 5, // no scheduling point was seen, or the binary was not built from the commit
  unresolved = 6,   // the base or the diff cannot be resolved
  diverged = 7,     // a replay diverged
  internal = 70,    // an error of reex
  skipped = 77,
  interrupted = 130 // after the partial reports were written
};

} // namespace reex
