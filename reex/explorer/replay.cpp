#include <filesystem>
#include <system_error>

#include "reex/explorer/explore.h"
#include "reex/explorer/schedule_file.h"
#include "reex/explorer/session.h"
#include "reex/explorer/sha256.h"
#include "reex/explorer/verdict.h"
#include "reex/symbols/binary_info.h"

namespace reex {
namespace {

std::string text_of(int thread, const std::string& operation, const std::string& object) {
  return "thread " + std::to_string(thread) + " " + operation + (object.empty() ? "" : " " + object);
}

// The first step that is not as recorded; "" if all are, or none were recorded.
std::string divergence(const ScheduleFile& file, const std::vector<TraceStep>& steps) {
  if (file.steps.empty()) return "";
  const std::size_t common = std::min(file.steps.size(), steps.size());
  for (std::size_t i = 0; i < common; ++i) {
    const ScheduleFile::Step& expected = file.steps[i];
    const TraceStep& seen = steps[i];
    if (expected.thread == seen.thread && expected.operation == seen.operation &&
        expected.object == seen.object)
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
  if (!failure_kind.empty() && failure_kind != "exit" && failure_kind != "gtest") return failure_kind;
  return exit ? "exit status " + std::to_string(*exit) : "no exit";
}

void configure(ControlBlock& control, const ScheduleFile& file) {
  RunConfig& config = control.config;
  config.task = Task::replay;
  config.accesses = visible_accesses(file.accesses);
  config.timeouts = file.timeouts;
  config.spurious = file.spurious;
  config.max_steps = file.max_steps == 0 ? 20000 : file.max_steps;
  control.saved.count =
      static_cast<std::uint32_t>(std::min<std::size_t>(file.decisions.size(), k_max_decisions));
  for (std::uint32_t i = 0; i < control.saved.count; ++i)
    control.saved.list[i] = choice_of(file.decisions[i]);
}

std::vector<CodePlace> promoted_in(const ScheduleFile& file) {
  std::vector<CodePlace> places;
  for (const PromotedAccess& access : file.promoted) places.push_back({access.module, access.offset});
  return places;
}

void judge(const ScheduleFile& file, const ControlBlock& control, Session& session, ReplayResult& result) {
  const FailureSlot& slot = control.failure;
  const Ending& ending = slot.replayed;
  const char* text = control.outcomes.text + slot.output_offset;
  result.stdout_text.assign(text, slot.output_length);
  result.stderr_text.assign(text + slot.output_length, slot.error_length);
  result.how.trace = session.reader().steps(control.trace);
  result.how.decisions = file.decisions;
  result.how.preemptions = control.own.run.preemptions;
  if (ending.end == End::exited) result.exit = ending.value;

  Failure failure;
  failure.kind = failure_kind(ending.end, ending.value, file.gtest, result.stdout_text);
  failure.where = session.reader().positions(control.trace, ending);
  failure.memory = session.reader().memory(control.trace);
  failure.message =
      failure_message(failure.kind, ending, {result.stdout_text, result.stderr_text}, failure.where);
  failure.key = stable_key(failure.kind, failure.where, file.test_name);
  failure.how = result.how;
  failure.stdout_text = result.stdout_text;
  failure.stderr_text = result.stderr_text;
  if (!failure.kind.empty()) result.failure = failure;

  result.verdict = ReplayResult::Verdict::diverged;
  result.message = divergence(file, result.how.trace);
  if (!result.message.empty()) return;
  if (ending.end == End::diverged) {
    result.message = "diverged at step " + std::to_string(ending.value) +
                     ": the thread that the schedule names cannot run there";
  } else if (control.own.run.decision_count < file.decisions.size()) {
    const Decision& next = file.decisions[control.own.run.decision_count];
    result.message = "diverged: the execution ended before step " + std::to_string(next.step) +
                     ", where thread " + std::to_string(next.thread) + " was to run";
  } else if (failure.kind != file.failure_kind || result.exit != file.exit) {
    result.message = "diverged at the end: expected " + ending_text(file.failure_kind, file.exit) + ", saw " +
                     ending_text(failure.kind, result.exit);
  } else if (file.failure_kind.empty() && !file.stdout_sha256.empty() &&
             sha256_hex(result.stdout_text) != file.stdout_sha256) {
    result.message = "diverged at the end: the standard output is not the recorded one";
  } else {
    result.verdict = failure.kind.empty() ? ReplayResult::Verdict::passed : ReplayResult::Verdict::failed;
  }
}

} // namespace

ReplayResult replay(const ScheduleFile& file, const RuntimeFiles& runtime) {
  ReplayResult result;
  if (const BinaryInfo now = read_binary_info(file.binary); now.build_id != file.build_id)
    result.notes.push_back(
        "the binary was rebuilt since the schedule was recorded: it is followed as long as it fits");
  std::string directory = file.working_directory;
  if (std::error_code error; !directory.empty() && !std::filesystem::is_directory(directory, error)) {
    result.notes.push_back("the working folder of the recording is gone: " + directory);
    directory.clear();
  }
  ControlMemory memory;
  configure(*memory, file);
  try {
    Session session(memory,
                    {.binary = file.binary,
                     .arguments = file.arguments,
                     .runtime = runtime,
                     .working_directory = directory,
                     .control_descriptor = memory.descriptor(),
                     .log_descriptor = -1},
                    {}, std::chrono::seconds(10));
    session.promote(promoted_in(file));
    Session::serve({&session}, {});
    if (!memory->status.ready || memory->failure.replayed.end == End::running)
      result.message =
          memory->status.ready ? "the execution did not come to an end" : "the test created no thread";
    else
      judge(file, *memory, session, result);
  } catch (const std::system_error& error) {
    result.message = error.what();
  }
  return result;
}

} // namespace reex
