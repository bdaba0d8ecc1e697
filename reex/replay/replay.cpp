#include <algorithm>
#include <filesystem>
#include <system_error>
#include <unordered_map>

#include "reex/explorer/configure.h"
#include "reex/frameworks/table.h"
#include "reex/process/native_run.h"
#include "reex/replay/alignment.h"
#include "reex/replay/replay.h"
#include "reex/replay/trials.h"
#include "reex/run/sha256.h"
#include "reex/schedules/schedule_file.h"
#include "reex/symbols/binary_info.h"
#include "reex/trace/verdict.h"

namespace reex {
namespace {

// The limit for the number of alignments with a trace of the new build.
constexpr unsigned k_most_alignments = 12;

std::string text_of(int thread, const std::string& operation, const std::string& object) {
  return "thread " + std::to_string(thread) + " " + operation + (object.empty() ? "" : " " + object);
}

// Which objects of a recorded trace are which of another one. Their names may differ: a variable is a number
// where the symbols are gone, or in a file of an earlier version.
class SameObjects {
public:
  bool operator()(const std::string& recorded, const std::string& seen) {
    return m_seen.try_emplace(recorded, seen).first->second == seen &&
           m_recorded.try_emplace(seen, recorded).first->second == recorded;
  }

private:
  std::unordered_map<std::string, std::string> m_seen;
  std::unordered_map<std::string, std::string> m_recorded;
};

// Describes the first step that differs from the recorded one; "" if there is none, or no steps were
// recorded.
std::string divergence(const ScheduleFile& file, const std::vector<TraceStep>& steps) {
  if (file.steps.empty()) return "";
  SameObjects same_objects;
  const std::size_t common = std::min(file.steps.size(), steps.size());
  for (std::size_t i = 0; i < common; ++i) {
    const ScheduleFile::Step& expected = file.steps[i];
    const TraceStep& seen = steps[i];
    if (expected.thread == seen.thread && expected.operation == seen.operation &&
        same_objects(expected.object, seen.object))
      continue;
    return "diverged at step " + std::to_string(i) + ": expected " +
           text_of(expected.thread, expected.operation, expected.object) + ", saw " +
           text_of(seen.thread, seen.operation, seen.object);
  }
  if (file.steps.size() == steps.size()) return "";
  return "diverged at step " + std::to_string(common) + ": expected " +
         (common < file.steps.size()
              ? text_of(file.steps[common].thread, file.steps[common].operation, file.steps[common].object)
              : "the end of the execution") +
         ", saw " +
         (common < steps.size() ? text_of(steps[common].thread, steps[common].operation, steps[common].object)
                                : "the end of the execution");
}

std::string ending_text(const std::string& failure_kind, const std::optional<int>& exit) {
  if (!failure_kind.empty() && failure_kind != "exit" && framework_of_kind(failure_kind) == Framework::none)
    return failure_kind;
  return exit ? "exit status " + std::to_string(*exit) : "no exit";
}

void take(const Trial& trial, ReplayResult& result) {
  const Failure execution = trial.failure();
  result.how = execution.how;
  result.exit = trial.exit();
  result.promoted = trial.promoted();
  result.stdout_text = execution.stdout_text;
  result.stderr_text = execution.stderr_text;
  result.failure.reset();
  if (!execution.kind.empty()) result.failure = execution;
}

ReplayResult::Verdict verdict_of(const ReplayResult& result) {
  return result.failure ? ReplayResult::Verdict::failed : ReplayResult::Verdict::passed;
}

std::string kind_of(const ReplayResult& result) { return result.failure ? result.failure->kind : ""; }

std::string other_ending(const ScheduleFile& file, const ReplayResult& result) {
  return "diverged at the end: expected " + ending_text(file.failure_kind, file.exit) + ", saw " +
         ending_text(kind_of(result), result.exit);
}

// A standstill in which threads go on without an end is recorded up to a few operations behind its begin, and
// the replay takes longer to be sure of it.
void leave_at_standstill(const ScheduleFile& file, const EndingCopy& ending, ReplayResult& result) {
  const std::size_t recorded = file.steps.size();
  if (ending.limit == 0 || recorded == 0 || kind_of(result) != file.failure_kind ||
      result.how.trace.size() <= recorded)
    return;
  for (Schedule* how : {&result.how, &result.failure->how}) {
    how->trace.resize(std::min(how->trace.size(), recorded));
    how->length = recorded;
  }
}

// For the recorded build: everything must be as recorded.
void judge(const ScheduleFile& file, const Trial& trial, ReplayResult& result) {
  const EndingCopy& ending = trial.ending();
  result.verdict = ReplayResult::Verdict::diverged;
  if (ending.end == End::watchdog) {
    result.message = "diverged: " + ending.message;
    return;
  }
  leave_at_standstill(file, ending, result);
  result.message = divergence(file, result.how.trace);
  if (!result.message.empty()) return;
  if (ending.end == End::diverged) {
    result.message = "diverged at step " + std::to_string(ending.value) +
                     ": the thread that the schedule names cannot run there";
  } else if (result.how.decisions.size() < file.decisions.size()) {
    const Decision& next = file.decisions[result.how.decisions.size()];
    result.message = "diverged: the execution ended before step " + std::to_string(next.step) +
                     ", where thread " + std::to_string(next.thread) + " was to run";
  } else if (kind_of(result) != file.failure_kind || result.exit != file.exit) {
    result.message = other_ending(file, result);
  } else if (file.failure_kind.empty() && !file.stdout_sha256.empty() &&
             sha256_hex(result.stdout_text) != file.stdout_sha256) {
    result.message = "diverged at the end: the standard output is not the recorded one";
  } else {
    result.verdict = verdict_of(result);
  }
}

// Whether a missing switch is explained by the fact that the thread that should run had to wait: the
// execution reached the place of the switch, and the thread ran later.
bool had_to_wait(const Turn& turn, const std::vector<TraceStep>& steps) {
  std::uint32_t done = 0;
  bool reached = turn.operation == 0;
  for (const TraceStep& step : steps) {
    if (reached && step.thread == turn.to) return true;
    if (step.thread == turn.thread && ++done >= turn.operation) reached = true;
  }
  return false;
}

// For another build: the recorded switches must have found their places.
void judge_rebuilt(const ScheduleFile& file, const Alignment& wanted, const Turns& taken,
                   ReplayResult& result) {
  if (result.failure && result.failure->kind == file.failure_kind) {
    result.verdict = ReplayResult::Verdict::failed;
    if (!same_functions(result.failure->key, file.failure_key))
      result.notes.push_back("it fails in the same way at another place: its key is " + result.failure->key);
    return;
  }
  result.verdict = ReplayResult::Verdict::diverged;
  std::size_t waited = 0;
  bool fits = !result.failure && result.exit && wanted.lost == 0;
  for (const Turn& turn : wanted.turns) {
    if (std::find(taken.begin(), taken.end(), turn) != taken.end()) continue;
    ++waited;
    fits = fits && turn.kind == ChoiceKind::run && had_to_wait(turn, result.how.trace);
  }
  if (waited != 0)
    result.notes.push_back(std::to_string(waited) + " of " + std::to_string(wanted.turns.size()) +
                           " recorded switches " + (waited == 1 ? "was" : "were") +
                           " not possible in this build");
  if (fits) {
    result.verdict = ReplayResult::Verdict::passed;
    return;
  }
  if (waited != 0 || wanted.lost != 0) result.message = divergence(file, result.how.trace);
  if (result.message.empty()) result.message = other_ending(file, result);
}

std::string replay_recorded(const TrialSetup& setup, ReplayResult& result) {
  return run_trials(setup, {}, [&](const Trial& trial) -> std::optional<Turns> {
    if (!trial.ended()) return {};
    take(trial, result);
    judge(setup.file, trial, result);
    return {};
  });
}

std::string replay_rebuilt(const TrialSetup& setup, ReplayResult& result) {
  Turns wanted;
  for (const Decision& decision : setup.file.decisions) wanted.push_back(turn_of(decision));
  unsigned trials = 0;
  return run_trials(setup, wanted, [&](const Trial& trial) -> std::optional<Turns> {
    if (!trial.ended()) return {};
    const bool fails = !setup.file.failure_kind.empty() && trial.failure_kind() == setup.file.failure_kind;
    Alignment aligned = align_turns(setup.file, trial.steps());
    const bool settled = aligned.turns == wanted && !trial.promotes_more();
    if (fails || settled || ++trials == k_most_alignments) {
      take(trial, result);
      judge_rebuilt(setup.file, {wanted, aligned.lost}, trial.turns(), result);
      return {};
    }
    wanted = std::move(aligned.turns);
    return wanted;
  });
}

// Accesses that raced in the recorded build may not race in this one; then they are not visible operations
// here. If the schedule cannot be followed without them, this executes it with all plain accesses visible.
void replay_with_all_accesses(const TrialSetup& setup, ReplayResult& result) {
  ScheduleFile all = setup.file;
  all.accesses = Accesses::all;
  all.max_steps *= 10;
  ReplayResult second;
  const TrialSetup second_setup{.file = all,
                                .runtime = setup.runtime,
                                .frame_bits = {},
                                .find_races = true,
                                .working_directory = setup.working_directory};
  if (!replay_rebuilt(second_setup, second).empty() || second.verdict == ReplayResult::Verdict::diverged ||
      second.verdict == ReplayResult::Verdict::not_started)
    return;
  second.rebuilt = true;
  second.accesses = Accesses::all;
  result = std::move(second);
}

// Whether the file gives each choice by a thread's progress. If not, a schedule can be followed only by the
// ordinals of its choices.
bool tells_progress(const ScheduleFile& file) {
  return !file.steps.empty() && std::all_of(file.decisions.begin(), file.decisions.end(),
                                            [](const Decision& decision) { return decision.left >= 0; });
}

} // namespace

std::string existing_directory(const ScheduleFile& file) {
  std::error_code error;
  return std::filesystem::is_directory(file.working_directory, error) ? file.working_directory : "";
}

ReplayResult replay(const ScheduleFile& file, const RuntimeFiles& runtime) {
  ReplayResult result;
  TrialSetup setup{
      .file = file, .runtime = runtime, .frame_bits = {}, .working_directory = existing_directory(file)};
  result.rebuilt = read_binary_info(file.binary).build_id != file.build_id;
  if (result.rebuilt)
    result.notes.push_back(
        "the binary was rebuilt since the schedule was recorded: it is followed as long as it fits");
  if (setup.working_directory.empty() && !file.working_directory.empty())
    result.notes.push_back("the working folder of the recording is gone: " + file.working_directory);
  result.accesses = file.accesses;
  const std::vector<std::string> notes = result.notes;
  const bool by_progress = result.rebuilt && tells_progress(file);
  setup.find_races = by_progress;
  const std::string error = by_progress ? replay_rebuilt(setup, result) : replay_recorded(setup, result);
  if (by_progress && error.empty() && result.verdict == ReplayResult::Verdict::diverged &&
      !file.promoted.empty()) {
    replay_with_all_accesses(setup, result);
    if (result.verdict != ReplayResult::Verdict::diverged)
      result.notes.insert(result.notes.begin(), notes.begin(), notes.end());
  }
  if (result.verdict != ReplayResult::Verdict::not_started) return result;
  const RunError why = start_error({.binary = file.binary,
                                    .arguments = file.arguments,
                                    .runtime = {},
                                    .working_directory = setup.working_directory},
                                   error.empty() ? "the execution did not come to an end" : error);
  result.message = why.text;
  if (why.kind != ErrorKind::not_started) result.verdict = ReplayResult::Verdict::uncontrolled;
  return result;
}

} // namespace reex
