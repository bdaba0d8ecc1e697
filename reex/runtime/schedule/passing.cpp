// The counts of slices belong to one execution: begin_slices resets them.
#include "reex/runtime/schedule/passing.h"

#include <algorithm>

#include "reex/runtime/core/enabled.h"
#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/virtual_time.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/descriptors/outside.h"
#include "reex/runtime/descriptors/timer_descriptors.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/runtime/order/new_code.h"
#include "reex/runtime/schedule/spin.h"
#include "reex/runtime/signals/timers.h"

namespace reex {
namespace {

constexpr std::uint64_t k_millisecond = 1000000;
constexpr std::uint32_t k_least_laps = 2;
constexpr std::uint32_t k_most_skips = 32; // of points, before a turn by jumps of time
// By so many laps more, a wait is put off while others end earlier. Then they end one after the other, one in
// each slice, the first so many on time: no thread that naps sleeps longer than it has asked for because time
// jumps. Then time jumps twice as far, and with each further so many again: the number grows with the
// logarithm of the wait, and nobody sleeps much longer than it would have to beside the others.
constexpr std::uint32_t k_most_overtaken = 8;
constexpr std::uint32_t k_naps_on_time = 4000;
constexpr std::uint32_t k_naps_until_doubled = 1000;
// A thread that has woken is expected to sleep as long again, until so many times as long has passed.
constexpr std::uint64_t k_naps_until_forgotten = 100;
// A lap is over after so many operations, whatever each thread has done, or after so many slices for each
// thread that can run: one that is overdue (k_overdue_slices) has had its part by then.
constexpr std::uint32_t k_longest_lap = 4000;
constexpr std::uint32_t k_longest_lap_slices = 3;
// After so many slices of a lap, or operations while a thread waits for the clock, for each thread that can
// run, a strategy that samples takes those that it has kept back.
constexpr std::uint32_t k_overdue_slices = 2;
constexpr std::uint32_t k_overdue_turns = 8;
constexpr std::uint32_t k_shortest = 16; // the shortest slice is a slice divided by this
constexpr std::uint32_t k_most_doublings = 12;
// Few poll for longer than a minute (environment/clock.cpp): 1 ms * (2^12 - 1 + 14 * 2^12).
// What goes on hardly waits for the clock, and each slice moves time by an eighth of a second.
constexpr std::uint32_t k_clock_slices = 26;
constexpr std::uint32_t k_late_doublings = 7;
// In the last quarter of a guard's time, each slice that ends a lap moves time by this.
constexpr std::uint64_t k_lap_beside_guards = 160000;
// The processor time of a wait, about as natively: so a timer that counts processor time fires for a test
// that does little beside sleeping, too.
constexpr std::uint64_t k_wait_costs = 10000;

bool waits_for_time(const Fiber& fiber) { return can_time_out(fiber) && fiber.pending.deadline > g_time.now; }

// Its wait has come to its deadline.
bool has_come(const Fiber& fiber) {
  return fiber.pending.deadline != k_never && fiber.pending.deadline <= g_time.now;
}

// The longer a wait is, the more the others may do meanwhile. But the number grows with the logarithm, so
// that waits of seconds end too.
std::uint32_t laps_for(std::uint64_t length) {
  std::uint32_t laps = k_least_laps;
  for (std::uint64_t limit = k_millisecond; laps < 32 && length >= limit; limit *= 10) ++laps;
  return laps;
}

std::uint64_t earliest_timer() { return std::min(next_timer(), next_timer_descriptor()); }

void expire() {
  for (Fiber* fiber : alive())
    if (can_time_out(*fiber) && fiber->pending.deadline <= g_time.now) {
      fiber->pending.timed_out = true;
      fiber->slices = 0;
    }
  g_time.expired = g_time.now;
}

// A thread that waits while time passes has begun to wait, as those who sleep meanwhile rely on.
void note_waits() {
  if (g.control->config.sleeps_any) return;
  for (Fiber* fiber : alive())
    if (!fiber->pending.slept && !operation_enabled(*fiber, false)) {
      fiber->pending.slept = true;
      fingerprint_standing(*fiber);
    }
}

void move_to(std::uint64_t time) {
  stop_noting();
  if (time > g_time.now) {
    note_waits();
    jump_time(time);
  }
  fingerprint_time();
  expire_timer_descriptors();
  fire_timers();
  expire();
}

std::uint64_t first_deadline() {
  std::uint64_t first = earliest_timer();
  for (const Fiber* fiber : alive())
    if (waits_for_time(*fiber)) first = std::min(first, fiber->pending.deadline);
  return first;
}

// A wait of so long for something that others do is a guard: it is meant never to end by its
// time. Natively the others may do millions of operations meanwhile, and so may they here.
constexpr std::uint32_t k_laps_of_guard = 1024;   // times as many
constexpr std::uint32_t k_laps_beside_guard = 64; // of other waits, in its last quarter
// Who naps and looks at the clock may be a guard as well. Few work for as long as this beside others that
// nap, until they are told to stop. From then on, waits take so many times as many laps, until all wait.
constexpr std::uint64_t k_much_passed = k_guard;
constexpr std::uint32_t k_laps_when_much = 16;

bool has_much_passed() { return g_time.passed >= k_much_passed; }

std::uint32_t laps_until(std::uint64_t deadline, std::uint32_t times) {
  return times * laps_for(deadline > g_time.now ? deadline - g_time.now : 0);
}

bool is_long_wait(const Fiber& fiber) {
  return fiber.clock.wait >= k_guard && fiber.clock.until > g_time.now;
}

// Notified, too: most go on waiting.
bool is_guarding(const Fiber& fiber) {
  if (!is_long_wait(fiber)) return false;
  switch (fiber.pending.operation) {
  case Operation::cond_wait:
  case Operation::cond_reacquire:
  case Operation::futex_sleep:
  case Operation::futex_move:
  case Operation::semaphore_wait:
    return true;
  default:
    return false;
  }
}

// The times that guards put off: from the last quarter of a guard's time on, and from the end of the first
// guard on. To jump to one of the latter would end that guard, too.
struct Guarded {
  std::uint64_t from = k_never;
  std::uint64_t end = k_never;
};

Guarded guarded() {
  Guarded times;
  for (const Fiber* fiber : alive()) {
    if (!is_guarding(*fiber)) continue;
    times.from = std::min(times.from, fiber->clock.until - fiber->clock.wait / 4);
    times.end = std::min(times.end, fiber->clock.until);
  }
  return times;
}

// After so many laps, a timer (of the test, or of a descriptor) is due.
std::uint32_t laps_of_timer(std::uint64_t time, const Guarded& guarded) {
  return laps_until(time, time >= guarded.end   ? k_laps_of_guard
                          : time > guarded.from ? k_laps_beside_guard
                          : has_much_passed()   ? k_laps_when_much
                                                : 1);
}

// And the wait of a thread.
std::uint32_t laps_of_wait(const Fiber& fiber, const Guarded& guarded) {
  const std::uint64_t deadline = fiber.pending.deadline;
  return is_guarding(fiber) ? laps_until(deadline, k_laps_of_guard) : laps_of_timer(deadline, guarded);
}

// It has waited for so long that others shall not hold it up any more.
bool is_overdue(std::uint64_t deadline, std::uint32_t laps, std::uint32_t waited, std::uint64_t first) {
  return deadline != k_never && deadline > first && waited >= laps + k_most_overtaken;
}

bool is_any_overdue() {
  const std::uint64_t first = first_deadline();
  const Guarded guards = guarded();
  const std::uint64_t timer = earliest_timer();
  if (is_overdue(timer, laps_of_timer(timer, guards), g_time.timer_slices, first)) return true;
  for (const Fiber* fiber : alive())
    if (waits_for_time(*fiber) &&
        is_overdue(fiber->pending.deadline, laps_of_wait(*fiber, guards), fiber->slices, first))
      return true;
  return false;
}

// How far a jump to `first` goes when the longest overdue wait was put off by so many slices since.
std::uint64_t jump_over(std::uint64_t first, std::uint32_t naps) {
  if (naps < k_naps_on_time || first <= g_time.now) return first;
  const std::uint64_t length = first - g_time.now;
  const std::uint32_t doublings = 1 + (naps - k_naps_on_time) / k_naps_until_doubled;
  return doublings < 64 && length < (k_never - g_time.now) >> doublings ? g_time.now + (length << doublings)
                                                                        : k_never;
}

// The waits that are counted at the end of a lap or slice.
struct Waits {
  std::uint64_t first;             // deadline
  std::uint64_t overdue = k_never; // the earliest deadline of an overdue wait
  std::uint32_t naps = 0;          // slices for which one has been overdue, at most
  bool first_is_due = false;

  void count(std::uint64_t deadline, std::uint32_t laps, std::uint32_t waited) {
    if (deadline <= first) {
      first_is_due = first_is_due || waited >= laps;
    } else if (is_overdue(deadline, laps, waited, first)) {
      overdue = std::min(overdue, deadline);
      naps = std::max(naps, waited - laps - k_most_overtaken);
    }
  }
  // To what time they let it jump; k_never: none has waited long enough.
  std::uint64_t due() const {
    if (overdue != k_never) return std::min(overdue, jump_over(first, naps));
    return first_is_due ? first : k_never;
  }
};

// Laps are shorter where slices are. Those of guards are not: whether such a lap is over with this one.
bool ends_full_lap(const Guarded& guards) {
  g_time.short_laps += g_time.slice;
  const bool full = g_time.short_laps >= g.control->config.slice || guards.end == k_never;
  if (full) g_time.short_laps = 0;
  return full;
}

// The time to which those who wait let it jump, with this lap or slice.
std::uint64_t count_waits() {
  const std::uint64_t timer = earliest_timer();
  const Guarded guards = guarded();
  const bool full = ends_full_lap(guards);
  Waits waits{first_deadline()};
  g_time.waited = false;
  for (Fiber* fiber : alive()) {
    if (!waits_for_time(*fiber)) continue;
    if (full || (!is_guarding(*fiber) && fiber->pending.deadline < guards.end)) ++fiber->slices;
    g_time.waited = true;
    waits.count(fiber->pending.deadline, laps_of_wait(*fiber, guards), fiber->slices);
  }
  if (timer == k_never)
    g_time.timer_slices = 0;
  else if (full || timer < guards.end)
    ++g_time.timer_slices;
  g_time.waited = g_time.waited || g_time.timer_slices != 0;
  if (timer != k_never) waits.count(timer, laps_of_timer(timer, guards), g_time.timer_slices);
  const std::uint64_t due = waits.due();
  if (timer != k_never && due != k_never && due >= timer) g_time.timer_slices = 0;
  return due;
}

bool had_its_part(const Fiber& fiber) { return fiber.operations - fiber.lap >= g_time.slice / 2; }

void begin_lap() {
  g_time.lapping = true;
  g_time.lap = g_time.operations;
  for (Fiber* fiber : alive()) fiber->lap = fiber->operations;
}

// Another slice is over while somebody waits. Whether a lap is. The first lap begins here, unless one thread
// alone can run: then this slice was one.
bool end_lap() {
  unsigned running = 0;
  bool all = true; // have had their part
  for (const Fiber* fiber : alive()) {
    if (fiber->spinning || !is_enabled(*fiber)) continue;
    ++running;
    all = all && had_its_part(*fiber);
  }
  const bool begins = !g_time.lapping;
  const std::uint32_t longest = std::max(k_longest_lap, running * k_longest_lap_slices * g_time.slice);
  if (!begins && !all && g_time.operations - g_time.lap < longest) return false;
  begin_lap();
  return !begins || running < 2;
}

// The test has asked for the time to pass, by a sleep or a timer: nothing can end that before.
bool is_asked_for(std::uint64_t time) {
  if (earliest_timer() == time) return true;
  for (const Fiber* fiber : alive()) {
    const bool sleeps =
        fiber->pending.operation == Operation::sleep || fiber->pending.operation == Operation::signal_sleep;
    if (sleeps && fiber->pending.deadline == time) return true;
  }
  return false;
}

// What those who are put back in loops that read the clock may wait for.
enum class Polled { nothing, anything, time };

// Threads that are put back, and wait for time or for nothing in particular, get another turn. If nobody else
// can run, they have it anyway. Code that is not seen may have written what any of them waits for. `passes`:
// time does not stand still.
Polled wake_spinning(bool passes) {
  Polled polled = Polled::nothing;
  if (g.spinning == 0 || !can_run_beside(nullptr)) return polled;
  for (Fiber* fiber : alive()) {
    if (!fiber->spinning) continue;
    if (fiber->polls_clock)
      polled = std::max(polled, fiber->clock.slices < k_clock_slices ? Polled::time : Polled::anything);
    if (fiber->polls_clock && passes) ++fiber->clock.slices;
    if (fiber->polls_clock || fiber->loop != Loop::proven || has_unseen_code()) end_spin(*fiber);
  }
  return polled;
}

// Somebody waits for time: by a deadline, by a timer, or by reading the clock. `guards`: by a guard counts,
// too.
bool is_waited_for(bool guards = true) {
  for (const Fiber* fiber : alive())
    if ((waits_for_time(*fiber) && (guards || !is_guarding(*fiber))) ||
        (fiber->spinning && fiber->polls_clock))
      return true;
  return earliest_timer() != k_never;
}

std::uint32_t shorter(std::uint32_t length) {
  return std::max({length / 2, g.control->config.slice / k_shortest, 1u});
}

void begin_slice(std::uint32_t length) {
  g_time.jumps = 0;
  g_time.looks = 0;
  g_time.slice = length;
  g_time.slice_end = g_time.operations + length;
}

// Who cannot run now has not used the processor for so long.
void count_idle(std::uint64_t unused) {
  bool computes = false;
  for (Fiber* fiber : alive())
    if (is_enabled(*fiber, false)) {
      computes = true;
    } else {
      fiber->idle += unused;
      g_time.idled = g_time.idled * 31 + unused * (fiber->id + std::uint64_t{1});
    }
  if (!computes) g_time.idle += unused;
  put_off_processor_timers(unused);
}

void jump_to(std::uint64_t deadline) {
  const std::uint32_t jumps = std::min(g_time.jumps + 1, k_most_jumps);
  move_to(deadline);
  if (g_time.waited)
    for (Fiber* fiber : alive()) fiber->slices = 0;
  g_time.timer_slices = g_time.clock_slices = 0;
  g_time.lapping = false;
  g_time.waited = false;
  begin_slice(g.control->config.slice);
  g_time.jumps = jumps;
  if (jumps < k_most_jumps || g_time.turn_due) return;
  if (has_unseen_code()) wake_spinning(false);
  g_time.turn_due = true;
  g_time.turn_skips = g_time.turns_by_jumps++ % k_most_skips;
}

} // namespace

void begin_slices(std::uint32_t patience) {
  g_patience = patience;
  g_time.stood = g_time.stood_most = 0;
  g_time.passed = 0;
  g_time.all_waited = 0;
  g_time.idled = 0;
  g_time.jumped = 0;
  g_time.put_off = 0;
  g_time.operations = g_time.timer_slices = g_time.clock_slices = g_time.clock_moved = g_time.short_laps = 0;
  g_time.lapping = g_time.held_up = false;
  g_time.expired = g_time.now;
  g_time.waited = g_time.clock_waited_for = false;
  g_time.some_came = g_time.turn_due = false;
  g_time.turns_by_jumps = g_time.turn_skips = 0;
  g_time.kept_out = 0;
  g_time.gave_way = -1;
  begin_slice(g.control->config.slice);
}

bool can_run_beside(const Fiber* one) {
  for (const Fiber* fiber : alive())
    if (fiber != one && !fiber->spinning && is_enabled(*fiber)) return true;
  return false;
}

void move_time(std::uint64_t to) {
  const std::uint64_t passed = to - g_time.now;
  if (passed > k_wait_costs) count_idle(passed - k_wait_costs); // before sleeps end
  g_time.now = to;
}

void jump_time(std::uint64_t to) {
  move_time(to);
  g_time.jumped = to;
}

std::uint64_t next_wake_beside(const Fiber* one) {
  std::uint64_t next = earliest_timer();
  if (next <= g_time.now) next = k_never;
  for (const Fiber* fiber : alive()) {
    if (fiber == one) continue;
    const std::uint64_t woke = has_come(*fiber) ? fiber->pending.deadline : fiber->clock.woke;
    if (waits_for_time(*fiber))
      next = std::min(next, fiber->pending.deadline);
    else if (woke != 0 && (g_time.now - woke) / k_naps_until_forgotten <= fiber->clock.wait)
      next = std::min(next, g_time.now + fiber->clock.wait);
  }
  return next;
}

std::uint64_t guarded_from() { return guarded().from; }

std::uint64_t beside_guards(std::uint64_t step, std::uint64_t little) {
  const std::uint64_t guarded = guarded_from();
  return std::min(step, guarded <= g_time.now ? little : guarded - g_time.now);
}

bool stands_still() { return g_time.stood < g_patience && can_run_beside(g.current); }

std::uint64_t earliest_deadline(bool of_spinning) {
  std::uint64_t earliest = earliest_timer();
  for (const Fiber* fiber : alive())
    if (can_time_out(*fiber) && (of_spinning || !fiber->spinning))
      earliest = std::min(earliest, fiber->pending.deadline);
  return earliest;
}

bool wake_clock_poller(const Fiber& last) {
  if (g.control->config.slice == 0) return false;
  Fiber* lowest = nullptr;
  Fiber* next = nullptr;
  for (Fiber* fiber : alive()) {
    if (!fiber->spinning || !fiber->polls_clock || !is_enabled(*fiber)) continue;
    if (lowest == nullptr || fiber->id < lowest->id) lowest = fiber;
    if (fiber->id > last.id && (next == nullptr || fiber->id < next->id)) next = fiber;
  }
  if (lowest == nullptr) return false;
  end_spin(next != nullptr ? *next : *lowest);
  return true;
}

bool look_again() {
  constexpr std::uint32_t k_most_looks = 8;
  if (!has_unseen_code() || g_time.looks == k_most_looks) return false;
  bool any = false;
  for (Fiber* fiber : alive()) {
    if (!fiber->spinning || !is_enabled(*fiber)) continue;
    end_spin(*fiber);
    any = true;
  }
  if (any) ++g_time.looks;
  return any;
}

// All wait: what has gone on until now ends by itself, and has taken no patience away from what follows.
void pass_time(std::uint64_t deadline) {
  if (g_time.stood < g_patience) g_time.stood = 0;
  g_time.passed = 0;
  ++g_time.all_waited;
  jump_to(deadline);
}

// A notification that was lost looks like this: without the guards' times, it would be a deadlock.
void note_stuck_guards(std::uint64_t deadline) {
  if (g.spinning != 0 || earliest_timer() != k_never || deadline <= g_time.now) return;
  for (const Fiber* fiber : alive()) {
    const bool polls = fiber->pending.operation == Operation::poll && is_long_wait(*fiber);
    if (can_time_out(*fiber) && !polls && !is_guarding(*fiber)) return;
  }
  for (const Fiber* fiber : alive())
    if (can_time_out(*fiber) && fiber->pending.deadline == deadline) note_stuck_guard(fiber->pending.pc);
}

// After a sleep, its time has passed for all; with --timeouts, every other timed wait may still be notified.
void end_early(Fiber& self) {
  ++g.control->ending.times_passed;
  const std::uint64_t deadline = self.pending.deadline;
  if (self.pending.operation == Operation::sleep) return jump_to(deadline);
  const std::uint64_t timer = timer_for(self.pending);
  if (timer != k_never && timer <= deadline) {
    if (timer > g_time.now) jump_time(timer);
    expire_timer_descriptors();
  } else {
    self.pending.timed_out = true;
    if (deadline > g_time.now) jump_time(deadline);
  }
  fingerprint_fence();
}

void catch_up_with_clock() {
  if (g_time.expired != g_time.now) expire();
}

void count_for_slice(Fiber& self) {
  const Pending& pending = self.pending;
  self.came = false;
  if (pending.operation != Operation::thread_join || pending.deadline != k_never) {
    ++g_time.operations;
    ++self.operations;
  }
  if (pending.notified) {
    ++self.clock.notified;
  } else if (has_come(self)) {
    ++self.clock.slept;
    self.clock.woke = pending.deadline;
  }
  // A sleep that a signal has interrupted and that is begun again has waited already.
  if (self.slices != 0 && pending.deadline != k_never && !pending.interrupted) self.slices = 0;
}

bool end_slice() {
  const bool clock = g_time.clock_waited_for;
  g_time.clock_waited_for = false;
  if (g_time.slice == 0 || (g_time.operations < g_time.slice_end && !clock)) return false;
  if (clock || g.spinning != 0 || is_waited_for() || has_unseen_code()) {
    stop_noting();
    g_time.turn_due = true;
  }
  if (clock ? stands_still() : g_time.stood < g_patience && is_waited_for(false)) {
    g_time.stood_most = std::max(g_time.stood_most, ++g_time.stood);
    if (g_time.stood == g_patience) lose_patience();
    wake_spinning(false);
    begin_slice(g.control->config.slice); // a short one is for time that passes
    return true;
  }
  if (clock && !g_time.held_up && can_run_beside(g.current)) ++g.control->ending.times_passed;
  if (g_time.operations < g_time.slice_end) return true; // only the turn is over
  if (is_waited_for()) {
    if (!end_lap() && !is_any_overdue()) {
      wake_spinning(false);
      begin_slice(g_time.slice);
      return true;
    }
  } else {
    g_time.lapping = false;
  }
  std::uint64_t due = count_waits();
  if (due != k_never && due > g_time.now) g_time.passed += due - g_time.now;
  if (const Polled polled = wake_spinning(true); polled != Polled::nothing && due == k_never) {
    const std::uint32_t most = polled == Polled::time ? k_most_doublings : k_late_doublings;
    due = g_time.now +
          beside_guards(k_millisecond << std::min(g_time.clock_slices++, most), k_lap_beside_guards);
  }
  if (due != k_never && g.spinning != 0 && !can_run_beside(nullptr) && takes_real_time(due)) due = k_never;
  std::uint32_t length = g_time.slice;
  if (due != k_never) {
    // Others could have ended the wait long before, as they do natively: no real time has passed.
    if (due > g_time.now && !is_asked_for(due)) put_off_watchdogs(due - g_time.now);
    for (Fiber* fiber : alive())
      if (waits_for_time(*fiber) && fiber->pending.deadline <= due) fiber->came = g_time.some_came = true;
    move_to(due);
    ++g.control->ending.times_passed;
    const bool full = has_much_passed() || guarded_from() <= g_time.now; // a guard's laps are of full length
    length = full ? g.control->config.slice : shorter(length);
  }
  begin_slice(length);
  return true;
}

// Strategies that take turns have ended the lap by then, and let time pass.
unsigned who_is_due(const Fiber* const* threads, unsigned count) {
  const bool lap =
      g_time.lapping && g_time.operations - g_time.lap >= k_overdue_slices * count * g_time.slice;
  const bool clock = g_time.held_up && g_time.operations - g_time.clock_moved >= k_overdue_turns * count;
  if (!lap && !clock) return k_nobody_is_due;
  for (unsigned i = 0; i < count; ++i) {
    const Fiber& fiber = *threads[i];
    if (lap && !had_its_part(fiber)) return i;
    if (clock && &fiber != g.current && fiber.operations == fiber.at_clock) return i;
  }
  return k_nobody_is_due;
}

unsigned next_in_turn(const Fiber* const* threads, unsigned count, const Fiber& current) {
  constexpr unsigned k_numbers = 0x10000;
  unsigned best = 0;
  unsigned best_distance = ~0u;
  for (unsigned i = 0; i < count; ++i) {
    if (threads[i] == &current) continue;
    const unsigned after = (threads[i]->id + k_numbers - current.id) % k_numbers;
    const unsigned distance = threads[i]->came ? after : after + k_numbers;
    if (distance < best_distance) {
      best = i;
      best_distance = distance;
    }
  }
  return best;
}

} // namespace reex
