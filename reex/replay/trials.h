// Executes a recorded test several times, one execution after another in one test process, each with other
// choices. replay(), minimize() and debug() use it.
//
// Callers: the parent process. run_trials() calls `next` and `debugger` on the caller's thread.
//
// Invariants: a Trial is valid only during the call of `next` that receives it: it reads the shared memory,
// which the next execution overwrites. Each execution is a detailed one, with trace and stacks.
//
// Cost: a start of the test process, and one detailed execution for each schedule.
//
// Errors: run_trials() returns one line. It throws std::system_error if it cannot create the control block,
// and it passes on exceptions of `next` and `debugger`.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reex/process/session.h"
#include "reex/records/report.h"
#include "reex/schedules/schedule_file.h"

namespace reex {

using Turns = std::vector<Turn>;

// An execution that has just ended. The constructor reads how it ended; each other function reads the shared
// memory when it is called. Throws DamagedMemory.
class Trial {
public:
  Trial(const ScheduleFile& file, const ControlMemory& memory, Session& session);

  const EndingCopy& ending() const { return m_report.replayed; }
  bool ended() const { return ending().end != End::running; }
  // Of a file about a finding: its kind and key if this execution showed it. Else of how the execution ended;
  // "" if it did not fail.
  std::string failure_kind() const;
  std::string failure_key() const;
  // Of a file about a finding: one was seen for the first time. The next execution of the same choices shows
  // its stacks, without which it has no key. run_trials() makes that one before it calls `next`.
  bool lacks_stacks() const;
  unsigned preemptions() const;
  Turns turns() const; // the choices that are not the default choice
  std::vector<Decision> decisions() const;
  std::vector<TraceStep> steps(unsigned frames = k_step_frames) const; // innermost frames of each stack
  std::vector<PromotedAccess> promoted() const;
  std::optional<int> exit() const;
  const std::string& standard_output() const { return m_report.standard_output; }
  const std::string& standard_error() const { return m_report.standard_error; }
  Failure failure() const;    // all that a report shows; `kind` is "" if the execution did not fail
  bool promotes_more() const; // it had new findings; accesses of races among them are visible in the next one

private:
  std::optional<Finding> shown() const;

  const ScheduleFile& m_file;
  const ControlMemory& m_memory;
  Session& m_session;
  ReportCopy m_report;
};

struct TrialSetup {
  const ScheduleFile& file;
  RuntimeFiles runtime;
  FrameBits frame_bits;
  // Set for another build: reex looks for data races itself and does not take the promoted accesses from the
  // file.
  bool find_races = false;
  std::string working_directory = ""; // "": the parent's
  // Of processor time without progress, after which the execution, the last one, is ended.
  std::chrono::milliseconds hang_after{10000};
  // Called when the worker with that process number waits for a debugger. Afterwards the test process is
  // killed.
  std::function<void(pid_t)> debugger = {};
};

// The working folder of the recording; "" if it no longer exists.
std::string existing_directory(const ScheduleFile& file);

// What run_trials() returns of a test that ended without a second thread.
inline constexpr std::string_view k_created_no_thread = "the test created no thread";

// Executes the turns of `first` or, if it is nullopt, the recorded choices. Then it executes the turns that
// `next` returns, until `next` returns nullopt. Returns "", or why there was no execution. Throws
// DamagedMemory.
std::string run_trials(const TrialSetup& setup, const std::optional<Turns>& first,
                       const std::function<std::optional<Turns>(const Trial&)>& next);

} // namespace reex
