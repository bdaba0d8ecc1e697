// The inner loop. At every visible operation it finds the enabled threads, asks the search which one runs
// next, and does the bookkeeping of spins. docs/semantics.md has the rules. g_steps is scratch space: no
// restore and no worker's death matters to it.
#include <algorithm>

#include "reex/runtime/core/enabled.h"
#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/objects.h"
#include "reex/runtime/core/process.h"
#include "reex/runtime/core/running.h"
#include "reex/runtime/core/stacks.h"
#include "reex/runtime/core/virtual_time.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/descriptors/outside.h"
#include "reex/runtime/descriptors/timer_descriptors.h"
#include "reex/runtime/imunit/imunit.h"
#include "reex/runtime/machine/modules.h"
#include "reex/runtime/order/dependence.h"
#include "reex/runtime/order/finding.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/runtime/order/happens_before.h"
#include "reex/runtime/order/met_races.h"
#include "reex/runtime/order/new_code.h"
#include "reex/runtime/order/race.h"
#include "reex/runtime/order/time_ahead.h"
#include "reex/runtime/record/events.h"
#include "reex/runtime/record/guide.h"
#include "reex/runtime/record/log.h"
#include "reex/runtime/record/match.h"
#include "reex/runtime/record/operation_counts.h"
#include "reex/runtime/record/trace.h"
#include "reex/runtime/record/unexplored.h"
#include "reex/runtime/schedule/alone.h"
#include "reex/runtime/schedule/choose.h"
#include "reex/runtime/schedule/circles.h"
#include "reex/runtime/schedule/loops.h"
#include "reex/runtime/schedule/passing.h"
#include "reex/runtime/schedule/spin.h"
#include "reex/runtime/schedule/spurious.h"
#include "reex/runtime/schedule/waits_in_vain.h"
#include "reex/runtime/signals/signals.h"
#include "reex/runtime/signals/timers.h"
#include "reex/runtime/threads/cancel.h"
#include "reex/runtime/threads/fiber.h"

namespace reex {

namespace {

struct Enabled {
  std::uint16_t thread[k_max_threads]; // numbers
  Fiber* fiber[k_max_threads];
  unsigned count = 0;
  bool slice_over = false; // the first thread goes on, without a preemption

  void only(Fiber& one) {
    thread[0] = one.id;
    fiber[0] = &one;
    count = 1;
  }
  void to_front(unsigned one) {
    std::rotate(thread, thread + one, thread + one + 1);
    std::rotate(fiber, fiber + one, fiber + one + 1);
  }
};

// Scratch space, like g_steps and g_events: too large for the stack of a thread.
constinit Enabled g_enabled{};

// In default order: the current fiber first, then the others by ascending id; in a round, from the next one
// on.
void collect(Enabled& enabled, Fiber& current, bool spinning) {
  enabled.count = 0;
  const auto add = [&](Fiber& fiber) {
    if (fiber.spinning != spinning) return;
    if ((g.ranked || !is_free_of_waits(fiber.pending.operation)) && !is_enabled(fiber)) {
      if (!fiber.pending.waited) timer_for(fiber.pending); // for note_end_of_wait
      fiber.pending.waited = true;
      return;
    }
    enabled.thread[enabled.count] = fiber.id;
    enabled.fiber[enabled.count++] = &fiber;
  };
  if (current.state == FiberState::live) add(current);
  for (Fiber* fiber : alive())
    if (fiber != &current) add(*fiber);
  if (g_time.gave_way < 0 || enabled.count == 0 || enabled.thread[0] == current.id) return;
  const auto next =
      std::upper_bound(enabled.thread, enabled.thread + enabled.count, current.id) - enabled.thread;
  std::rotate(enabled.thread, enabled.thread + next, enabled.thread + enabled.count);
  std::rotate(enabled.fiber, enabled.fiber + next, enabled.fiber + enabled.count);
}

// Only spinning threads are left. They are deprioritized, never disabled. They read in turn, without a
// choice, because reads commute. The first thread that stops spinning is an ordinary thread again.
void next_spinner(Enabled& enabled, Fiber& current) {
  collect(enabled, current, true);
  if (enabled.count == 0) return;
  Fiber* next = nullptr;
  Fiber* lowest = enabled.fiber[0];
  for (unsigned i = 0; i < enabled.count; ++i) {
    Fiber* const fiber = enabled.fiber[i];
    if (fiber->id < lowest->id) lowest = fiber;
    if (fiber->id > current.id && (next == nullptr || fiber->id < next->id)) next = fiber;
  }
  enabled.only(next == nullptr ? *lowest : *next);
}

// Where code is not seen, no loop around a lock is known to wait. But a thread that yields again and again
// says so itself: the others have a turn.
bool has_yielded_often(Fiber& current) {
  if (current.pending.operation != Operation::yield || !has_unseen_code()) return false;
  if (++current.yields % k_spin_yields_any_state != 0) return false;
  return g_time.turn_due = true;
}

// In default order. If a suspected loop goes on, or a thread wakes up spuriously, this thread is returned: it
// runs without a further choice.
Fiber* find_enabled(Enabled& enabled, Fiber& current) {
  enabled.slice_over = false;
  expire_timer_descriptors();
  fire_timers();
  catch_up_with_clock();
  if (in_turn(current) && is_enabled(current)) { // only spinning threads were left as this turn began
    enabled.only(current);
    return nullptr;
  }
  enabled.slice_over = end_slice() || has_yielded_often(current);
  if (enabled.slice_over) give_way_to_others();
  for (;;) {
    collect(enabled, current, false);
    if (enabled.count != 0) ++g.unrest;
    if (enabled.count != 0 || earliest_deadline(false) != k_never) {
      if (Fiber* loop = choose_loop(); loop != nullptr) return loop;
      if (Fiber* woken = choose_spurious_wake(); woken != nullptr) return woken;
    }
    if (enabled.count != 0) return nullptr;
    const std::uint64_t earliest = earliest_deadline(true);
    if (g.beyond_limit && earliest != k_never) {
      pass_time(jump_beyond_limit());
      continue;
    }
    if (g.spinning != 0 ? look_outside(earliest) : await_outside(earliest)) continue;
    if (earliest != k_never && !(g.spinning != 0 && takes_real_time(earliest))) { // no thread can run
      if (g.spinning != 0 && look_again()) continue;
      note_rest();
      note_stuck_guards(earliest);
      if (g.spinning == 0 || earliest <= g_time.now || !wake_clock_poller(current)) pass_time(earliest);
      continue;
    }
    if (is_livelock()) end_execution(end_of_standstill(End::livelock), 0, nullptr);
    if (g.spinning != 0) {
      next_spinner(enabled, current);
      if (enabled.count == 0 && !g.in_place && somebody_outside()) continue;
    }
    if (enabled.count == 0) end_execution(end_of_standstill(End::deadlock), 0, nullptr);
    return nullptr;
  }
}

// Whether leaving the thread before this operation is no preemption although it could go on.
bool gives_way(Operation operation) {
  return operation == Operation::yield || (operation == Operation::sleep && g.control->config.sleeps_any);
}

// At the end of a slice, the next thread is the first one, as if it had run last. If the current one cannot
// go on, it is the one that has executed least: two that hand something to each other would keep out a third
// by their numbers.
void pass_the_turn(Enabled& enabled, const Fiber& current, bool current_first) {
  if (!enabled.slice_over || enabled.count < 2) return;
  const auto has_executed_less = [](const Fiber* a, const Fiber* b) { return a->operations < b->operations; };
  Fiber** const first = enabled.fiber;
  const auto least = std::min_element(first, first + enabled.count, has_executed_less) - first;
  enabled.to_front(current_first ? next_in_turn(first, enabled.count, current)
                                 : static_cast<unsigned>(least));
}

Leave reason_to_leave(const Fiber& from, bool enabled, bool slice_over) {
  if (from.state == FiberState::finished) return Leave::finished;
  if (from.spinning) return Leave::spinning;
  if (from.pending.operation == Operation::sleep) return Leave::slept;
  if (!enabled) return is_at_event(from) ? Leave::held : Leave::blocked;
  if (slice_over) return Leave::slice_over;
  return gives_way(from.pending.operation) ? Leave::yielded : Leave::preempted;
}

Step g_steps[k_max_threads]; // of the enabled fibers
Event g_events[k_max_threads];
std::uint8_t g_bits[k_max_threads];

void find_steps(const Enabled& enabled, StateKey reached, bool leaving_costs) {
  g_steps[0].reached = {};
  const unsigned first = search().goes_on_first(leaving_costs) ? 1 : 0;
  const StateKey around = first < enabled.count && enabled.count > 1 ? surroundings() : StateKey{};
  for (unsigned i = first; i < enabled.count && enabled.count > 1; ++i) {
    g_steps[i].reached = reached_key_after(*enabled.fiber[i], around);
    search().fetch_ahead(g_steps[i].reached);
  }
  const StateKey state = state_key();
  for (unsigned i = 0; i < enabled.count; ++i)
    g_steps[i].taken = key_of_step(state, reached, enabled.thread[i]);
}

constexpr std::uint32_t k_most_kept_out = 4;

// Somebody could run if this thread gave back what it holds.
bool keeps_out_others(const Fiber& current) {
  for (const Fiber* fiber : alive()) {
    const Pending& pending = fiber->pending;
    const bool joins = pending.operation == Operation::thread_join;
    const bool sleeps = pending.operation == Operation::cond_reacquire && !pending.notified;
    if (fiber != &current && !joins && !sleeps && holder_of(pending) == static_cast<int>(current.id))
      return true;
  }
  return false;
}

// At the end of a slice.
void count_kept_out(const Fiber& current, bool alone) {
  if (!alone || !keeps_out_others(current))
    g_time.kept_out = 0;
  else if (g_time.kept_out < k_most_kept_out)
    ++g_time.kept_out;
  if (g_time.kept_out == k_most_kept_out) g_time.turn_due = true;
}

// A turn after jumps passes each time one point later: in a loop, each of its points has its day.
bool skips_this_point() {
  if (g_time.turn_skips == 0) return false;
  --g_time.turn_skips;
  return true;
}

// If no other thread can run, because this one holds a lock perhaps, the turn passes at the next end of a
// slice. It passes as soon as another one can run where this one may be in that place each time: where code
// is not seen, in a loop whose operations divide a slice, as some ends in a row show, and where no slice ends
// because time jumps.
void begin_round(Enabled& enabled, const Fiber& current, bool current_first) {
  const bool alone = current_first && enabled.count < 2;
  if (alone && (has_unseen_code() || g_time.kept_out == k_most_kept_out)) return;
  if (g_time.jumps == k_most_jumps && (enabled.count < 2 || skips_this_point())) return;
  g_time.turn_due = false;
  g_time.jumps = 0;
  if (alone || !current_first) return;
  g_time.gave_way = current.id;
  enabled.slice_over = true;
}

// Beyond the step limit, without a choice: in the same order after each jump of time.
Fiber* lowest(const Enabled& enabled) {
  return *std::min_element(enabled.fiber, enabled.fiber + enabled.count,
                           [](const Fiber* a, const Fiber* b) { return a->id < b->id; });
}

// Chooses the fiber that executes its pending operation next.
Fiber* pick(Fiber& current) {
  if (goes_on(current)) return &current;
  Enabled& enabled = g_enabled;
  Fiber* const only = find_enabled(enabled, current);
  const bool current_first = enabled.count != 0 && enabled.thread[0] == current.id;
  if (enabled.slice_over) count_kept_out(current, current_first && enabled.count < 2);
  if (g_time.turn_due) begin_round(enabled, current, current_first);
  if (enabled.slice_over) depend_on_all(); // where a slice ends depends on the operations of all
  pass_the_turn(enabled, current, current_first);
  if (only != nullptr) {
    if (only != &current && g.detail)
      record_switch(current, reason_to_leave(current, current_first, false), enabled.count);
    return only;
  }
  if (g.beyond_limit) {
    note_alone(enabled.count == 1 ? enabled.fiber[0] : nullptr);
    return lowest(enabled);
  }
  // At the end of a slice, to go on costs a preemption even at a yield. Otherwise a thread that polls the
  // clock could wait for its time without letting anybody run.
  const bool leaving_is_free = gives_way(current.pending.operation) && !(enabled.slice_over && current_first);
  const bool reducing =
      g_fingerprinting && (enabled.count > 1 || !current_first) && search().is_beyond_plan();
  if (reducing) {
    const StateKey reached = reached_key();
    const bool leaving_costs = enabled.count > 1 && current_first && !leaving_is_free;
    find_steps(enabled, reached, leaving_costs);
    search().reached(reached, leaving_costs);
    if (enabled.count == 1 && search().is_known(g_steps[0].taken)) end_execution(End::pruned, 0, nullptr);
  }
  unsigned rank = 0;
  if (enabled.count > 1) {
    const bool matching = !g.control->config.search.prioritization.is_basic();
    if (matching)
      for (unsigned i = 0; i < enabled.count; ++i) g_bits[i] = match_bits(*enabled.fiber[i]);
    if (g_telling_events)
      for (unsigned i = 0; i < enabled.count; ++i) g_events[i] = event_of(*enabled.fiber[i]);
    rank = choose({.kind = ChoiceKind::run,
                   .count = enabled.count,
                   .thread = enabled.thread,
                   .bits = matching ? g_bits : nullptr,
                   .current_first = current_first,
                   .leaving_is_free = leaving_is_free,
                   .step = g.step,
                   .hash = g.hash,
                   .events = g_telling_events ? g_events : nullptr,
                   .steps = reducing ? g_steps : nullptr,
                   .joins = reducing && search().wants_joins() ? joins() : nullptr,
                   .due = who_is_due(enabled.fiber, enabled.count),
                   .polls = current_first && current.equal_turns != 0});
  }
  Fiber* next = enabled.fiber[rank];
  if (next != &current && g.detail)
    record_switch(current, reason_to_leave(current, current_first, enabled.slice_over && rank == 0),
                  enabled.count);
  if (g.detail) record_enabled(enabled.count);
  return next;
}

// The running fiber is about to execute the chosen operation.
void begin_operation(Fiber& self) {
  Status& status = g.control->status;
  status.points.store(status.points.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  g.hash = g.hash * 0x01000193u ^ (static_cast<unsigned>(self.pending.operation) << 8 | self.id);
  refuel(k_fuel);
  self.samples = 0;
  note_begin(self);
  count_for_slice(self);
  if (g_time.gave_way == self.id) g_time.gave_way = -1;
  if (g.goer != self.id) g.goer = -1;
  if (g.beyond_limit)
    look_beyond_limit(self.pending.operation);
  else if (g.recorded)
    record_step(self);
  if (g_counting_operations) count_operation(self.pending.pc);
  if (g_telling_events) tell_executed(self);
  const RunConfig& config = g.control->config;
  if ((config.timeouts || config.sleeps_any) && !is_enabled(self, false)) end_early(self);
  if (++g.step > g.step_limit) reach_step_limit();
}

bool only_spinning() {
  for (const Fiber* fiber : alive())
    if (!fiber->spinning && is_enabled(*fiber)) return false;
  return g.spinning != 0;
}

Fiber* joiner_of(const Fiber& target) {
  for (Fiber* fiber : alive())
    if (fiber->joins == &target && fiber->pending.operation == Operation::thread_join)
      return is_async_target(*fiber) ? nullptr : fiber;
  return nullptr;
}

// The joiner's next choice is made as if this thread made it, although another thread may have its slot by
// then. There is one at a time: the joiner runs up to that choice at once.
Fiber* ended_like(const Fiber& self) {
  static Fiber ended;
  ended.id = self.id;
  ended.state = FiberState::finished;
  ended.pending = self.pending;
  return &ended;
}

// Runs signal handlers before the operation. A new choice follows: others may send the next signal.
void react_to_signals(Fiber& self) {
  while (has_signal(self) && !g.forked_off) {
    if (operation_enabled(self, false) && signals_are_late(self)) return;
    deliver_signals(self);
    if (g_watching) left_frames(self, self.pending.frame);
    fingerprint_standing(self); // before the operation again, but with what the handlers have done
    if (Fiber* next = pick(self); next != &self) switch_to(next);
  }
}

// Stops the fiber before its pending operation. Returns when the fiber shall execute it.
void schedule(Fiber& self) {
  if (Fiber* creator = self.creator; creator != nullptr) { // newly created: its creator continues
    self.creator = nullptr;
    switch_to(creator);
  } else {
    Fiber& last = self.ended != nullptr ? *self.ended : self;
    self.ended = nullptr;
    if (Fiber* next = pick(last); next != &self) switch_to(next);
  }
  react_to_signals(self);
  if (g.forked_off) [[unlikely]] // by a handler
    wait_alone(self);
  else
    begin_operation(self);
}

void set_pending(Fiber& self, Operation operation, void* object, void* pc, void* frame) {
  if (g_code_comes) [[unlikely]]
    take_in_code();
  self.pending = {.operation = operation, .object = object, .pc = pc, .frame = frame};
  self.match_bits_known = false;
  if (self.spinning) note_next_operation(self);
  if (!g.control->config.search.prioritization.is_basic()) find_outer_frames(self);
}

// The object of the operation must be there, and alive.
void check_use(Operation operation, const void* object, void* pc) {
  if (faults(g.current->pending)) use_after_unmap(info(operation).object, info(operation).text);
  if (g_watching && watch_object(object, operation, pc)) return;
  if (uses_destroyed(operation, object)) use_after_destroy(info(operation).object, info(operation).text);
}

// A wait that goes on until the same time, after a notification, say, is as long as it was when it began.
// That time has come nearer if the thread is further ahead now.
void note_length(Fiber& self) {
  const std::uint64_t deadline = self.pending.deadline;
  if (deadline == k_never || deadline <= g_time.now) return;
  if (deadline <= self.clock.until && self.clock.until - deadline <= self.ahead.shown) return;
  self.clock.wait = deadline - g_time.now;
  self.clock.until = deadline;
}

// A timed wait of the thread is over, which began at `step`. Others have ended it, although it could have
// stopped waiting at any time from its deadline on, or gone on meanwhile, although its time may be over
// before.
void note_end_of_wait(const Fiber& self, std::uint64_t step) {
  const Pending& wait = self.pending;
  if (!wait.waited || wait.interrupted || g.control->config.timeouts) return;
  const bool by_time = wait.deadline != k_never && wait.operation != Operation::sleep;
  const bool beside_others = g.step > step + 1;
  if (wait.timed_out) {
    if (by_time && self.clock.wait < k_guard && beside_others) note_timed_wait(wait.pc);
    return;
  }
  const bool by_timer =
      wait.timer != k_never && (wait.timer > g_time.now ? wait.timer - g_time.now < k_guard : beside_others);
  if ((by_time && self.clock.wait < k_guard) || by_timer)
    note_timed_wait(wait.pc);
  else if (by_time)
    note_guard(wait.pc);
}

} // namespace

void reach_step_limit() {
  if (end_circle()) return;
  if (!goes_beyond_limit(only_spinning())) end_at_limit();
}

void visible(Operation operation, void* object, void* pc, void* frame) {
  visible_pending(operation, object, pc, frame, k_never, 0);
}

void visible_pending(Operation operation, void* object, void* pc, void* frame, std::uint64_t deadline,
                     std::uint64_t value) {
  Fiber& self = *g.current;
  if (!g.active) {
    if (g.controlled) return; // the runtime's own work: no other thread can interfere
    self.pending = {.operation = operation,
                    .object = object,
                    .pc = pc,
                    .frame = frame,
                    .deadline = deadline,
                    .value = value};
    self.pending.timed_out = deadline <= g_time.now;
    wait_alone(self);
    testcancel_here();
    return;
  }
  if (in_unwinder(reinterpret_cast<std::uint64_t>(pc))) return; // never interrupted, so never contended
  if (g_loading != 0) [[unlikely]]
    loading_ended(self);
  if (g_has_places) [[unlikely]]
    events_around(operation, pc, frame);
  {
    Inside inside;
    set_pending(self, operation, object, pc, frame);
    self.pending.deadline = deadline;
    self.pending.timed_out = deadline <= g_time.now;
    self.pending.value = value;
    if (has_unseen_code() && is_access(operation)) meet_accesses(self);
    note_length(self);
    if (g_watching) left_frames(self, frame);
    count_accesses();
    fingerprint_standing(self);
    if (holder_of(self.pending) >= 0) [[unlikely]]
      note_circle(self);
    const std::uint64_t step = g.step;
    schedule(self);
    while (g_sharing && !g.forked_off && !claim_shared(self)) schedule(self);
    note_end_of_wait(self, step);
    if (!is_access(operation)) check_use(operation, object, pc);
    order_operation(operation, object);
    fingerprint_operation(operation, object);
  }
  testcancel_at_once(self);
  testcancel_here();
  // A try that failed because its time had passed is not a write, like any failed try.
  if (info(operation).effect == Effect::write && !self.pending.timed_out) note_write(object);
}

void wait_until(Operation operation, void* object, std::uint64_t deadline) {
  if (g_holds_shared) release_shared();
  Fiber& self = *g.current;
  const Pending before = self.pending;
  self.pending = {.operation = operation,
                  .expected = before.expected, // same place: this and the match bits stay valid
                  .object = object,
                  .pc = before.pc,
                  .frame = before.frame,
                  .deadline = deadline,
                  .value = before.value};
  self.pending.timed_out = deadline <= g_time.now;
  if (!g.controlled) {
    wait_alone(self);
    return;
  }
  note_length(self);
  {
    Inside inside;
    count_accesses();
    fingerprint_standing(self);
    const std::uint64_t step = g.step;
    schedule(self);
    while (g_sharing && !claim_shared(self)) schedule(self);
    note_end_of_wait(self, step);
    check_use(operation, object, before.pc);
    order_operation(operation, object);
    fingerprint_operation(operation, object);
  }
  if (operation != Operation::cond_reacquire) testcancel_at_once(self); // that one has a mutex to take first
}

void note(Operation operation, void* object, void* pc, void* frame) {
  if (!g.active) return;
  Inside inside;
  Fiber& self = *g.current;
  const Pending before = self.pending;
  self.pending = {.operation = operation, .object = object, .pc = pc, .frame = frame};
  if (g.recorded) record_step(self);
  self.pending = before;
}

void leave_finished(Fiber& self) {
  g.active = false;
  if (g.forked_off) leave_alone(self);
  end_spin(self);
  count_accesses();
  fingerprint_standing(self);
  self.ended = nullptr;
  if (g.live ==
      0) { // every thread has ended on its own, so the process ends: this one runs its exit handlers
    stop_noting();
    become_alive(self);
    g.active = true;
    exit_process(0);
  }
  if (Fiber* creator = self.creator; creator != nullptr) {
    self.creator = nullptr;
    switch_to(creator);
  } else if (Fiber* joiner = joiner_of(self); joiner != nullptr) { // a join that can complete is not a choice
    joiner->ended = ended_like(self);
    switch_to(joiner);
  } else {
    switch_to(pick(self));
  }
  internal_error("a finished thread ran again");
}

} // namespace reex
