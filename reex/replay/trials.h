// Executions of a recorded test, one after another in one test process, each by other choices: what replay
// and minimize are made of.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "reex/process/session.h"
#include "reex/schedules/schedule_file.h"

namespace reex {

using Turns = std::vector<Turn>;

// An execution that has just ended. What it offers is read from the shared memory when asked for.
class Trial {
public:
  Trial(const ScheduleFile& file, const ControlMemory& memory, Session& session)
      : m_file(file), m_memory(memory), m_session(session) {}

  const Ending& ending() const { return m_memory->failure.replayed; }
  bool ended() const { return ending().end != End::running; }
  std::string failure_kind() const; // "" if it did not fail
  std::string failure_key() const;
  unsigned preemptions() const { return m_memory->own.run.preemptions; }
  Turns turns() const; // its choices that are not the default
  std::vector<Decision> decisions() const;
  std::vector<TraceStep> steps() const;
  std::vector<PromotedAccess> promoted() const;
  std::optional<int> exit() const;
  std::string standard_output() const;
  std::string standard_error() const;
  Failure failure() const;    // with all that a report shows; an empty kind if it did not fail
  bool promotes_more() const; // it showed races whose accesses become visible with the next one

private:
  const ScheduleFile& m_file;
  const ControlMemory& m_memory;
  Session& m_session;
};

struct TrialSetup {
  const ScheduleFile& file;
  RuntimeFiles runtime;
  FrameBits frame_bits;
  // The binary is another build: the racing accesses are found anew instead of taken from the file.
  bool find_races = false;
  std::string working_directory = ""; // "": the parent's
  // Called once, as the worker with that number waits for a debugger; then the test process is ended.
  std::function<void(pid_t)> debugger = {};
};

// The folder that the recording was made in; "" if it is gone.
std::string existing_directory(const ScheduleFile& file);

// Executes the turns of `first`, or the recorded choices without one; then those that `next` gives, until it
// gives none. Returns why there was no execution, in one line, "" if there was.
std::string run_trials(const TrialSetup& setup, const std::optional<Turns>& first,
                       const std::function<std::optional<Turns>(const Trial&)>& next);

} // namespace reex
