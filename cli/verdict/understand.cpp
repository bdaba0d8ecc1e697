#include "cli/verdict/understand.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "cli/subject/binary.h"
#include "heuristics/match_bits.h"
#include "reex/records/damaged_memory.h"
#include "reex/replay/base_proof.h"
#include "reex/replay/minimize.h"
#include "reex/run/finding_kinds.h"

namespace reex {
namespace {

// Limits that keep the reduction cheap. `reex minimize` does more.
constexpr unsigned k_executions = 200;
constexpr std::chrono::seconds k_time{2};
constexpr std::uint64_t k_search = 1000; // schedules
constexpr std::chrono::seconds k_search_time{1};
constexpr std::size_t k_least_limit = 1000; // steps of an execution that is tried
constexpr std::size_t k_most_steps = 5000;  // longer executions take a long time in detail
constexpr std::size_t k_most_races = 3;

// The frames of an execution before the change was analysed have no marks yet.
void mark(std::vector<Frame>& stack, const FrameBits& frame_bits) {
  for (Frame& frame : stack) frame.changed = (frame_bits(frame) & k_match_line) != 0;
}

void mark(std::vector<ThreadPosition>& positions, const FrameBits& frame_bits) {
  for (ThreadPosition& position : positions) mark(position.stack, frame_bits);
}

void mark(TestRun& run, const FrameBits& frame_bits) {
  for (Failure& failure : run.failures) {
    for (TraceStep& step : failure.how.trace) mark(step.stack, frame_bits);
    mark(failure.where, frame_bits);
    mark(failure.memory, frame_bits);
  }
  for (Finding& finding : run.findings) {
    mark(finding.where, frame_bits);
    mark(finding.near_misses, frame_bits);
    mark(finding.left_out, frame_bits);
  }
}

BaseProof proof_on_base(const ScheduleFile& file, const std::string& binary) {
  return prove_on_base(file, binary, require_runtime(require_binary(binary)));
}

// Whether the run knows that no schedule fails likewise with fewer preemptions.
bool has_fewest(const Failure& failure, const TestRun& run) {
  const unsigned preemptions = failure.how.preemptions;
  return preemptions == 0 || (run.bound_completed && *run.bound_completed + 1 >= preemptions);
}

// Whether a line of the change was on a stack of the execution.
bool passes_change(const Failure& failure) {
  const auto changed = [](const std::vector<Frame>& stack) {
    return std::any_of(stack.begin(), stack.end(), [](const Frame& frame) { return frame.changed; });
  };
  return std::any_of(failure.how.trace.begin(), failure.how.trace.end(),
                     [&](const TraceStep& step) { return changed(step.stack); }) ||
         std::any_of(failure.where.begin(), failure.where.end(),
                     [&](const ThreadPosition& position) { return changed(position.stack); });
}

void reduce(Failure& failure, const TestRun& run, const UnderstandOptions& options) {
  if (failure.how.decisions.empty() || failure.how.trace.size() > k_most_steps) return;
  ScheduleFile file = read_schedule_file(failure.replay);
  const std::uint64_t limit = file.max_steps;
  // What is tried may do without the failure, and go on for long or for ever. A failure that shows at a limit
  // is as long as the limit.
  const std::size_t most = failure.how.limit != 0 ? 2 * failure.how.trace.size()
                                                  : std::max(k_least_limit, 4 * failure.how.trace.size());
  file.max_steps = std::min<std::uint64_t>(limit, most);
  // The change may be to blame for the schedule that was found. One that does without it, or fails at the
  // base, too, would hide that.
  const auto accepts = [&, by_change = passes_change(failure)](const MinimizeResult& fewer) {
    if (by_change && !passes_change(fewer.failure)) return false;
    return options.base_binary.empty() ||
           proof_on_base(fewer.file, options.base_binary).verdict == BaseProof::Verdict::passes;
  };
  MinimizeResult result = minimize(file, {.runtime = options.runtime,
                                          .frame_bits = options.frame_bits,
                                          .executions = k_executions,
                                          .time = k_time,
                                          .search = has_fewest(failure, run) ? 0 : k_search,
                                          .search_time = k_search_time,
                                          .heuristic = options.frame_bits ? options.heuristic : "",
                                          .accepts = accepts});
  if (result.error) return; // the test is not deterministic, and the run has said so
  result.file.max_steps = limit;
  failure.reduced = result.reduced;
  write_schedule_file(failure.replay, result.file);
  if (result.reduced.switches == result.reduced.switches_before) return;
  failure.how = result.failure.how;
  failure.where = result.failure.where;
  failure.memory = result.failure.memory;
  failure.message = result.failure.message;
  failure.stdout_text = result.failure.stdout_text;
  failure.stderr_text = result.failure.stderr_text;
}

// Whether the same threads meet at the same lines. `one` may have more sides than the two that race.
bool has_sides_of(const std::vector<ThreadPosition>& one, const std::vector<ThreadPosition>& race) {
  const auto same = [](const ThreadPosition& a, const ThreadPosition& b) {
    return a.thread == b.thread && lines_of({a}) == lines_of({b});
  };
  return one.size() >= race.size() && std::equal(race.begin(), race.end(), one.begin(), same);
}

// Whether a shorter schedule shows it.
bool reduce_race(Failure& failure, const UnderstandOptions& options, std::chrono::milliseconds time) {
  ScheduleFile file = read_schedule_file(failure.replay);
  const std::uint64_t limit = file.max_steps;
  file.max_steps = std::min<std::uint64_t>(limit, k_most_steps); // a later race is not met again
  MinimizeResult result = minimize(file, {.runtime = options.runtime,
                                          .frame_bits = options.frame_bits,
                                          .executions = k_executions,
                                          .time = time,
                                          .search = 0,
                                          .search_time = {},
                                          .heuristic = "",
                                          .accepts = {}});
  if (result.error) return false;
  const bool has_more_sides = failure.where.size() > result.failure.where.size();
  if (has_more_sides && !has_sides_of(failure.where, result.failure.where)) return false;
  if (passes_change(failure) && !passes_change(result.failure)) return false;
  result.file.max_steps = limit;
  write_schedule_file(failure.replay, result.file);
  failure.reduced = result.reduced;
  failure.how = result.failure.how;
  if (has_more_sides) return true;
  failure.where = result.failure.where;
  failure.message = result.failure.message;
  return true;
}

} // namespace

void reduce_races(TestRun& run, const UnderstandOptions& options) {
  if (!options.base_binary.empty()) return; // what the base does was seen under the schedules as they are
  std::size_t count = 0;
  const auto end = std::chrono::steady_clock::now() + k_time;
  for (Failure& failure : run.failures) {
    if (row_of_failure(failure.kind) == nullptr || failure.how.preemptions == 0 || failure.replay.empty())
      continue;
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (++count > k_most_races || left.count() <= 0) return;
    try {
      reduce_race(failure, options, left);
    } catch (const std::exception& error) { // the race is known all the same
      run.notes.push_back("failure " + failure.key + " was not reduced: " + error.what());
    }
  }
}

void understand(TestRun& run, const UnderstandOptions& options) {
  if (options.frame_bits) mark(run, options.frame_bits);
  for (Failure& failure : run.failures) {
    if (failure.replay.empty() || !std::filesystem::exists(failure.replay)) continue;
    try {
      try {
        reduce(failure, run, options);
      } catch (const ScheduleFileError& error) { // a full disk, for example: the failure itself is known
        run.notes.push_back("failure " + failure.key + " was not reduced: " + error.what());
      }
      if (!options.base_binary.empty())
        failure.base = proof_on_base(read_schedule_file(failure.replay), options.base_binary);
    } catch (const DamagedMemory& damage) {
      run.notes.push_back(fmt::format("failure {} was not reduced: {}", failure.key, damage.what()));
    }
  }
}

} // namespace reex
