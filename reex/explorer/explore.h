// The explorer's front door, called by the command line in the parent process. It starts the test binary with
// libreex_rt.so preloaded, lets it explore schedules inside its own workers, and gathers the results. It
// prints nothing; what happens on the way is told to an Observer.
#pragma once

#include <string>

#include "reex/run/options.h"
#include "reex/run/progress.h"

namespace reex {

class Observer {
public:
  virtual ~Observer() = default;
  virtual void progress(const Progress&) {}    // about ten times a second
  virtual void failure(const Failure&) {}      // as soon as it is known and symbolized
  virtual bool interrupted() { return false; } // asked about ten times a second; true ends the exploration
};

// Throws ResumeError (control_memory.h) if options.resume cannot be.
TestRun explore(const ExploreOptions& options, Observer& observer);

// Whether there is something to go on from; removes it, of all workers.
bool has_state(const std::string& state_file);
void remove_state(const std::string& state_file);

} // namespace reex
