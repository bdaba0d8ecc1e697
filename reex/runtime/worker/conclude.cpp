#include "reex/runtime/worker/conclude.h"

#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/process.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/imunit/imunit.h"
#include "reex/runtime/memory/memory_error.h"
#include "reex/runtime/order/finding.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/runtime/order/promoted.h"
#include "reex/runtime/record/captured_output.h"
#include "reex/runtime/record/log.h"
#include "reex/runtime/worker/patience.h"
#include "reex/search/mix.h"

namespace reex {
namespace {

UndoLog& undo_log() { return g.control->frontier.undo_log; }

// The increment is undone too if the process is killed before the transaction ends.
template <typename Counter>
void count_one(Counter& counter) {
  undo_log().save(counter);
  counter.fetch_add(1, std::memory_order_relaxed);
}

void store_decisions(OutcomeRecord& record) {
  Outcomes& outcomes = g.control->outcomes;
  const std::uint64_t size = search().decision_count() * sizeof(Choice);
  const std::uint64_t at = (outcomes.text_used + 7) & ~std::uint64_t{7};
  if (at + size > k_max_outcome_text) return;
  memcpy(outcomes.text + at, g.control->plan.list, size);
  undo_log().save(outcomes.text_used);
  outcomes.text_used = at + size;
  record.decisions_offset = at;
  record.decisions_count = search().decision_count();
  record.promoted = g.control->promoted_known;
}

std::int32_t exit_status(const Ending& ending) { return ending.end == End::exited ? ending.value : -1; }

// What the execution has printed and how it ended. The text is behind all that is kept.
struct OutcomeOf {
  std::uint64_t length;
  Hash128 hash;
};

void add_ending(Hash128& hash, const Ending& ending) {
  const std::int32_t value = exit_status(ending);
  const char head[] = {static_cast<char>(ending.end), static_cast<char>(value),
                       static_cast<char>(value >> 8)};
  hash.add(head, sizeof head);
}

Hash128 hash_of_ending(const Ending& ending) {
  Hash128 hash;
  add_ending(hash, ending);
  return hash;
}

OutcomeOf outcome_of(const Ending& ending) {
  const Outcomes& outcomes = g.control->outcomes;
  OutcomeOf outcome{.length = read_output(1, outcomes.text_used), .hash = {}};
  if (!g.control->check.prints_other) outcome.hash.add(outcomes.text + outcomes.text_used, outcome.length);
  add_ending(outcome.hash, ending);
  return outcome;
}

void store_outcome(const Ending& ending, const OutcomeOf& outcome) {
  Outcomes& outcomes = g.control->outcomes;
  const auto& [length, hash] = outcome;
  const std::int32_t value = exit_status(ending);
  const std::uint32_t preemptions = search().preemptions();
  for (std::uint64_t i = hash.a;; ++i) {
    std::uint32_t& slot = outcomes.index[i % (2 * k_max_outcomes)];
    if (slot == 0) {
      if (outcomes.count == k_max_outcomes) {
        outcomes.overflow = true;
        return;
      }
      OutcomeRecord& record = outcomes.record[outcomes.count];
      record = {.hash = {hash.a, hash.b},
                .text_offset = outcomes.text_used,
                .text_length = length,
                .count = 1,
                .decisions_offset = 0,
                .decisions_count = 0,
                .promoted = 0,
                .preemptions = preemptions,
                .value = value,
                .end = ending.end};
      undo_log().save(outcomes.text_used);
      undo_log().save(outcomes.count);
      undo_log().save(slot);
      outcomes.text_used += length;
      store_decisions(record);
      slot = ++outcomes.count;
      return;
    }
    OutcomeRecord& record = outcomes.record[slot - 1];
    if (record.hash[0] != hash.a || record.hash[1] != hash.b) continue;
    undo_log().save(record.count);
    ++record.count;
    if (preemptions < record.preemptions) {
      undo_log().save(record);
      record.preemptions = preemptions;
      store_decisions(record);
    }
    return;
  }
}

constexpr unsigned k_told = 4; // of a failure that does not fail again

// Returns whether the failure is to be reported: it is the first of its kind, or the earlier ones did not
// fail again. One that only the audit has found counts once.
bool count_failure(std::uint64_t key, bool counts, std::uint32_t& index) {
  Status& status = g.control->status;
  if (counts) count_one(status.failed);
  for (std::uint64_t i = key;; ++i) {
    KnownFailure& known = g.control->known[i % k_known_failures];
    index = static_cast<std::uint32_t>(i % k_known_failures);
    if (!known.used || known.key == key) undo_log().save(known);
    if (!known.used) {
      if (status.distinct_failures.load() + 1 >= k_known_failures) return false;
      known = {.key = key,
               .count = counts || search().is_audit() ? 1u : 0u,
               .used = true,
               .forgotten = false,
               .told = 0};
      count_one(status.distinct_failures);
      return true;
    }
    if (known.key != key) continue;
    known.count += counts;
    if (!known.forgotten || known.told >= k_told) return false;
    known.forgotten = false;
    count_one(status.distinct_failures);
    return true;
  }
}

// Whether a failure is worth another detailed execution: not if it has often failed to fail again.
bool may_fail_again(std::uint64_t key) {
  for (std::uint64_t i = key;; ++i) {
    const KnownFailure& known = g.control->known[i % k_known_failures];
    if (!known.used) return true;
    if (known.key == key) return !known.forgotten || known.told < k_told;
  }
}

// With several workers: limits the search to the schedules that are still of interest after this execution.
// True: it is the first failure in the order of exploration.
bool limit_search() {
  const ControlBlock& control = *g.control;
  if (control.own.workers == 1) return false;
  const Locked locked(search().lock(), control.own.index);
  if (is_failure(control.ending) && control.config.keep_going == 1 && may_fail_again(control.ending.key))
    return search().limit_to_this(false);
  propose_round();
  return false;
}

// The execution has found a race whose accesses are not visible yet, so a new round will begin.
bool ends_round() {
  return g.control->config.accesses == VisibleAccesses::racy && g.control->unpromoted.count != 0;
}

// From where this process has its stacks and thread-local storage.
std::uint64_t layout() {
  const std::uint64_t of_thread = g.fibers > 1 ? g_fibers[1].fs : 0;
  return mix(mix(mix(g_fibers[0].fs) ^ of_thread) ^ reinterpret_cast<std::uint64_t>(environ)) | 1;
}

bool has_result(const Ending& ending) {
  return ending.end != End::step_limit && ending.end != End::watchdog && ending.end != End::memory_limit &&
         ending.end != End::diverged && !ending.loop_cut;
}

ExecutionResult result_of(const Ending& ending, const Hash128& outcome) {
  return {.state = has_result(ending) ? final_key() : StateKey{},
          .outcome = {outcome.a, outcome.b},
          .spun = g.spun,
          .layout = layout()};
}

// Whether the end was another than that of all threads: it may have come before or after what they did.
bool cuts_threads_off(const Ending& ending) { return !has_result(ending) || g.live > 1; }

// Under the search's lock. An execution of the audit has shown what the reduction must not leave out.
void refute_reduction(bool search_is_over) {
  undo_log().save(g.control->audit.refuted);
  g.control->audit.refuted = true;
  search().refute(!search_is_over);
}

// Under the search's lock. From the next round on, nothing is left out: an execution has shown a dependence
// that the reduction cannot see.
void do_without_reduction(bool search_is_over) {
  const SearchConfig& config = g.control->config.search;
  if (!g.control->ending.frame_raced || config.reduction == Reduction::none || !search().has_frontier() ||
      search().is_refuted())
    return;
  if (config.shards > 1)
    refute_reduction(search_is_over); // the other shards do not know: nothing is claimed
  else
    search().do_without_reduction(!search_is_over);
}

void count_execution(const Ending& ending) {
  Status& status = g.control->status;
  count_one(status.schedules);
  const bool may_be_cut = search().is_aside(); // nothing is claimed by it
  if (ending.end == End::step_limit && !may_be_cut) {
    count_one(status.step_limited);
    if (ending.value != 0) count_one(status.livelocked);
  }
  if (ending.loop_cut && !may_be_cut) count_one(status.loops_cut);
  if (ending.end == End::memory_limit) count_one(status.memory_limited);
  if (ending.end == End::watchdog) count_one(status.hung);
  if (has_satisfied_schedule()) count_one(g.control->imunit.satisfied);
}

// Under the search's lock. Leaves the execution, at `position`, to be told to the parent, if it has failed in
// a new way or has new findings.
Next report_if_new(const SchedulePosition& position, std::uint32_t index) {
  ControlBlock& control = *g.control;
  FailureSlot& report = control.failure;
  if (!report.failed && !new_findings()) return Next::go_on;
  report.ending = control.ending;
  report.schedule = control.status.schedules.load() + control.status.of_other_shards.load();
  report.position = position;
  report.position.turn = search().turn();
  report.index = index;
  report.promoted = control.promoted_known;
  control.saved.count = search().decision_count();
  control.saved.preemptions = search().preemptions();
  memcpy(control.saved.list, control.plan.list, control.saved.count * sizeof(Choice));
  undo_log().save(report.serial);
  undo_log().save(report.due);
  ++report.serial;
  report.due = true;
  return Next::report;
}

} // namespace

bool is_failure(const Ending& ending) {
  switch (ending.end) {
  case End::deadlock:
  case End::livelock:
  case End::assertion:
  case End::aborted:
  case End::exception:
  case End::signalled:
  case End::use_after_free:
  case End::double_free:
  case End::invalid_free:
  case End::stack_use_after_return:
  case End::use_after_destroy:
    return true;
  case End::exited:
    return ending.value != 0;
  default:
    return false;
  }
}

Next conclude() {
  ControlBlock& control = *g.control;
  Status& status = control.status;
  const Ending& ending = control.ending;
  Locked locked(search().lock(), control.own.index, Locked::k_later);
  const Transaction whole(undo_log());
  const bool counts = search().counts();
  const bool wants_result = search().wants_result();
  learn_patience();
  const OutcomeOf outcome =
      wants_result || (counts && control.config.collect_outcomes) ? outcome_of(ending) : OutcomeOf{};
  if (counts && ending.end == End::stuck) { // outside of the schedule
    drop_log();
    count_one(control.imunit.stuck);
  } else if (counts) {
    if (control.config.collect_outcomes) store_outcome(ending, outcome);
    log_end();
    count_execution(ending);
  } else {
    drop_log();
    count_one(search().is_audit() ? status.audited : status.of_other_shards);
  }
  const SchedulePosition position = search().position();
  locked.take(); // shared data changes last, and is locked until all is done
  const bool agrees = search().agrees(result_of(ending, outcome.hash)) || ends_round();
  if (control.check.state != CheckState::passed) // which may show that outputs cannot be compared
    search().agrees(result_of(ending, hash_of_ending(ending)));
  const bool lowest = limit_search();
  std::uint32_t index = 0;
  control.failure.failed = is_failure(ending) && (count_failure(ending.key, counts, index) || lowest);
  const Next next = report_if_new(position, index);
  const bool search_is_over = control.failure.failed && control.config.keep_going == 1;
  if (!search_is_over && (is_failure(ending) || cuts_threads_off(ending))) search().depend_on_all();
  if (!agrees) refute_reduction(search_is_over);
  do_without_reduction(search_is_over);
  search().commit(true);
  return next;
}

Next conclude_pruned() {
  Status& status = g.control->status;
  Locked locked(search().lock(), g.control->own.index, Locked::k_later);
  const Transaction whole(undo_log());
  count_one(search().counts() ? status.pruned : status.of_other_shards);
  if (g.control->ending.loop_cut) count_one(status.loops_cut);
  const SchedulePosition position = search().position();
  locked.take();
  g.control->failure.failed = false;
  const Next next = report_if_new(position, 0);
  do_without_reduction(false);
  search().commit(false);
  return next;
}

} // namespace reex
