// The entry point of the explorer. explore() starts the test binary with libreex_rt.so preloaded. The test's
// own workers explore the schedules; explore() serves them until they have ended, and gathers the results. It
// prints nothing. It tells an Observer what happens meanwhile.
//
// Callers: the command line and minimize(), in the parent process. explore() calls the observer on the
// caller's thread.
//
// Cost: the time of the exploration. The parent itself sleeps most of the time; it wakes about ten times a
// second, and when a worker asks or reports something.
//
// Errors: explore() throws ResumeError (control_memory.h) if options.resume is set and the run cannot be
// continued, ProfileError if options.profile does not fit the libraries that the test has loaded, and
// ScheduleFileError if it cannot write a schedule file. It reports problems of the test, and errors of the
// system, in TestRun::error.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "reex/run/options.h"
#include "reex/run/progress.h"

namespace reex {

// A profile does not fit: one line that says why.
struct ProfileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Observer {
public:
  virtual ~Observer() = default;
  virtual void progress(const Progress&) {}    // about ten times a second
  virtual void failure(const Failure&) {}      // as soon as the failure is known and symbolized
  virtual bool interrupted() { return false; } // called about ten times a second; true ends the exploration
};

TestRun explore(const ExploreOptions& options, Observer& observer);

// Whether an earlier run left a state to continue from.
bool has_state(const std::string& state_file);
// Bytes on the disk, of the files of all workers.
std::uintmax_t size_of_state(const std::string& state_file);
// Takes the holes out of the files of all workers, when the runs of a binary's tests have ended and their
// states are kept. Adds the digest of the binary where a run was too short to have it.
void pack_states(const std::vector<std::string>& state_files, const std::string& binary);
// Where a run that learns a profile (options.learns) has its own state, beside that of the run it is for.
std::string state_of_lessons(const std::string& state_file);
// Removes the files of all workers, the stored reports, and those of its lessons.
void remove_state(const std::string& state_file);

} // namespace reex
