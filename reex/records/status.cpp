#include "reex/records/status.h"

#include "reex/records/checked.h"

namespace reex {

namespace {

constexpr Checked k_checked("status");
constexpr std::uint64_t k_most_points = std::uint64_t{1} << 60;

std::uint64_t count(const std::atomic<std::uint64_t>& place, const char* what) {
  return k_checked.at_most(place.load(std::memory_order_relaxed), k_most_executions, what);
}

std::vector<std::uint64_t> stack(const std::uint64_t (&pcs)[k_max_stack], const std::uint32_t& depth) {
  return fetch_all(pcs, k_checked.at_most(fetch(depth), k_max_stack, "the depth of a stack"));
}

} // namespace

StatusCounts read_counts(const Status& shared) {
  return {.schedules = count(shared.schedules, "the number of executions"),
          .pruned = count(shared.pruned, "the number of executions cut short"),
          .followed = k_checked.at_most(shared.followed.load(std::memory_order_relaxed), k_most_points,
                                        "the number of schedules that were followed"),
          .points = k_checked.at_most(shared.points.load(std::memory_order_relaxed), k_most_points,
                                      "the number of operations"),
          .distinct_failures = k_checked.at_most(shared.distinct_failures.load(std::memory_order_relaxed),
                                                 k_known_failures, "the number of failures")};
}

Finish read_finish(const Status& shared) {
  return k_checked.enumerator(fetch(shared.finish), Finish::error, "the way it finished");
}

bool read_ready(const Status& shared) { return k_checked.flag(shared.ready, "the mark of the first thread"); }

bool read_stuck(const Status& shared) { return fetch(shared.stuck_depth) != 0; }

bool read_unseen_code(const Status& shared) {
  return k_checked.flag(shared.unseen_code, "the mark of code without hooks");
}

bool read_entered(const Status& shared, std::size_t dormant) {
  return k_checked.flag(shared.dormant_code[dormant].entered, "the mark of code that was entered");
}

StatusCopy read_status(const Status& shared) {
  const StatusCounts counts = read_counts(shared);
  StatusCopy copy;
  copy.schedules = counts.schedules;
  copy.pruned = counts.pruned;
  copy.followed = counts.followed;
  copy.audited = count(shared.audited, "the number of executions of the audit");
  copy.points = counts.points;
  copy.distinct_failures = counts.distinct_failures;
  copy.step_limited = count(shared.step_limited, "the number of executions over the step limit");
  copy.livelocked = count(shared.livelocked, "the number of executions that only spun");
  copy.loops_cut = count(shared.loops_cut, "the number of loops that were cut");
  copy.hung = count(shared.hung, "the number of executions without progress");
  copy.memory_limited = count(shared.memory_limited, "the number of executions over the memory limit");
  copy.restarted = count(shared.restarted, "the number of workers started again");
  copy.max_threads = k_checked.at_most(shared.max_threads.load(std::memory_order_relaxed), k_max_created,
                                       "the number of threads");
  copy.finish = read_finish(shared);
  copy.isolation = k_checked.enumerator(fetch(shared.isolation), IsolationMode::fork, "the isolation");
  copy.stuck_stack = stack(shared.stuck_stack, shared.stuck_depth);
  copy.stuck_thread = fetch(shared.stuck_thread);
  copy.irreversible_call = fetch(shared.irreversible_call);
  copy.irreversible_stack = stack(shared.irreversible_stack, shared.irreversible_depth);
  copy.refused =
      k_checked.at_most(shared.refused.load(std::memory_order_relaxed), 1, "the mark of a refusal") != 0;
  copy.ready = read_ready(shared);
  copy.forked = k_checked.flag(shared.forked, "the mark of a fork");
  copy.refusal = k_checked.line(shared.refusal, "the refusal");
  copy.reason = k_checked.line(shared.reason, "the reason");
  return copy;
}

} // namespace reex
