// Spins (semantics: "Spins").
//
// A turn of a loop takes a thread from an operation back to the same operation. It leaves everything as it
// was if
// 1. each read of the turn saw the value that it saw in the turn before,
// 2. the thread's registers and stack are what they were,
// 3. it wrote nothing beyond its own stack, except for changes that it took back (Fiber::net), and
// 4. no other thread executed an operation on a changed object before it was taken back (note_seen), and
// 5. no other thread has changed an object since the turn used it (is_stale).
//
// A thread that has made such a turn is put back: it spins. No outcome is lost. Take the shortest execution
// with this outcome. It contains no such turn of any thread, because without the turn the other operations
// would do the same: the turn left the state as it was, and nobody saw it in the middle. So nobody is put
// back in this execution, and the search, which does not know it, meets it like any other. What turns change
// in a bound: an execution in which another thread sees a later turn in the middle (a trylock that fails) may
// cost more preemptions, because it has to be found with an earlier turn.
//
// The thread looks again as soon as another thread has changed what the loop uses (wake). If the other thread
// only made a turn of this kind, that was no change, and the thread is put back (unwake). Otherwise two
// threads that poll under the same lock would wake each other for ever.
//
// Loops whose state comes back after several turns are found as in Brent's cycle detection: the state is also
// compared with that of an earlier turn, the anchor, which moves to the turns 1, 2, 4, 8 ...
//
// Counted loops of loads differ in their counter, so they are not spins. After many equal reads without a
// write a loop is suspected all the same, unless rule 5 says that its last reads are old; the scheduler lets
// it go on where the search chooses so (loops.cpp).
#include "reex/runtime/schedule/spin.h"

#include <algorithm>

#include "reex/runtime/core/running.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/order/dependence.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/runtime/record/events.h"
#include "reex/runtime/record/unexplored.h"
#include "reex/runtime/threads/fiber.h"

namespace reex {
namespace {

constexpr std::size_t k_pushed_words = 7; // return address, rbp, r15, r14, r13, r12, rbx
// Bytes of the stack above the reading frame. What lies beyond belongs to callers that wait.
constexpr std::size_t k_hashed_stack = 16 << 10;

std::uint64_t hash_words(const std::uint64_t* from, const std::uint64_t* to, std::uint64_t hash) {
  for (; from < to; ++from) hash = (hash ^ *from) * 0x9e3779b97f4a7c15 + (hash >> 29);
  return hash;
}

// Not so in a signal handler with a stack of its own, and in a coroutine or a fiber of the test. How far such
// a stack reaches is not known, and what the thread does on other stacks meanwhile is not in it.
bool is_on_own_stack(const void* frame) {
  return reinterpret_cast<std::uintptr_t>(frame) - g_stack_low < g_stack_span;
}

// The state that decides how the thread continues: its callee-saved registers, and the stack above them.
// Hooks of reads push these registers right below their return address (REEX_READ_POINT).
// On a stack that is not the thread's, no two states are taken for the same: a loop there can be suspected
// only.
std::uint64_t state_of(const Fiber& self) {
  if (!is_on_own_stack(self.pending.frame)) return g.step;
  const auto* frame = static_cast<const std::uint64_t*>(self.pending.frame);
  const auto* high = reinterpret_cast<const std::uint64_t*>(stack_end(self));
  if (frame + k_hashed_stack / 8 < high) high = frame + k_hashed_stack / 8;
  return hash_words(frame - k_pushed_words, high, reinterpret_cast<std::uint64_t>(self.shadow_top));
}

void remove_waker(Fiber& fiber) {
  if (fiber.waker != k_nobody) --g.woken;
  fiber.waker = k_nobody;
}

// The turn since this step has changed nothing, so those whom it has woken have nothing to look at.
void unwake(const Fiber& waker, std::uint32_t since) {
  if (g.woken == 0) return;
  for (Fiber* each : alive()) {
    Fiber& fiber = *each;
    if (fiber.waker != waker.id || fiber.woken_at <= since) continue;
    remove_waker(fiber);
    fiber.spinning = g.spun = true;
    fiber.loop = Loop::proven;
    ++g.spinning;
  }
}

// Another fiber has changed what the loop uses. A loop of which more is known needs only one turn, back to
// where it was put back, to be put back again.
void wake(Fiber& fiber) {
  if (fiber.loop != Loop::proven) {
    if (fiber.loop == Loop::suspected) note_loop_met(fiber.pending.pc);
    end_spin(fiber);
    return;
  }
  for (unsigned i = 0; i < fiber.spin_reads; ++i)
    if (i != fiber.home) fiber.spin[i].fresh = false;
  fiber.spinning = false;
  fiber.loop = Loop::none;
  --g.spinning;
  fiber.waker = g.current->id;
  fiber.woken_at = g.step;
  ++g.woken;
}

// Of 64. Most objects are in no loop of another thread, and one word tells so.
std::uint64_t bit_of(const void* object) {
  return std::uint64_t{1} << (reinterpret_cast<std::uintptr_t>(object) * 0x9e3779b97f4a7c15 >> 58);
}

bool uses(const Fiber& fiber, const void* object) {
  if ((fiber.spin_objects & bit_of(object)) == 0) return false;
  const bool all = fiber.loop != Loop::proven && fiber.waker == k_nobody;
  for (unsigned i = 0; i < fiber.spin_reads; ++i)
    if (fiber.spin[i].object == object && (all || in_loop(fiber, fiber.spin[i]))) return true;
  return false;
}

// The running fiber has executed an operation on the object. A loop that was seen in the middle once stays so
// until its own thread goes on.
void note_seen(const Fiber& self, const void* object) {
  if (g.changing == 0) return;
  for (Fiber* each : alive()) {
    Fiber& fiber = *each;
    if (!fiber.changing || fiber.seen_midway || &fiber == &self || !uses(fiber, object)) continue;
    fiber.seen_midway = true;
    for (unsigned i = 0; i < fiber.spin_reads; ++i)
      if (fiber.spin[i].net != fiber.net) fiber.spin[i].fresh = false;
  }
}

void note_changed(const Fiber& self, const void* object) {
  note_seen(self, object);
  if (g.spinning == 0 && g.woken == 0) return;
  for (Fiber* each : alive()) {
    Fiber& fiber = *each;
    if (fiber.spinning ? &fiber == &self : fiber.waker == k_nobody || fiber.waker == self.id) continue;
    if (!uses(fiber, object)) continue;
    if (fiber.spinning)
      wake(fiber);
    else
      fiber.waker = k_several;
  }
}

// What was changed last, by all threads. What lies further back is forgotten: few turns are that long.
struct Change {
  const void* object; // null: taken back
  std::uint64_t before;
  std::uint32_t writes; // Fiber::writes then
  std::uint32_t step;
  std::uint32_t took_back; // the step of the change that this one took back, or 0
  std::uint16_t by;
};
constexpr std::uint32_t k_changes = 256;
constexpr std::uint32_t k_soon = 32; // a change that is taken back at all is one of the last
Change g_changes[k_changes];
std::uint32_t g_change_count = 0;

Change& change_before(std::uint32_t back) { return g_changes[(g_change_count - back) % k_changes]; }

void remember_change(const Fiber& self, const void* object, std::uint64_t before, std::uint32_t took_back) {
  g_changes[g_change_count++ % k_changes] = {object, before, self.writes, g.step, took_back, self.id};
}

// The step of the change that the running fiber takes back, which is forgotten; 0 if there is none. What was
// written while a lock was held is not taken back with it.
std::uint32_t take_back(const Fiber& self, const void* object, std::uint64_t now) {
  for (std::uint32_t i = 1; i <= k_soon && i <= g_change_count; ++i) {
    Change& change = change_before(i);
    if (change.by != self.id) continue;
    if (change.writes != self.writes) return 0; // nor were those before it
    if (change.object != object || change.took_back != 0) continue;
    if (change.before != now) return 0;
    change.object = nullptr;
    return change.step;
  }
  return 0;
}

// The next turn will see more than the one that has begun after this step. What was changed and taken back is
// new to those only who have seen it in between.
bool is_stale(const Fiber& self, std::uint32_t since) {
  for (std::uint32_t i = 1; i <= k_changes && i <= g_change_count; ++i) {
    const Change& change = change_before(i);
    if (change.step <= since) return false;
    if (change.by == self.id) continue;
    for (unsigned k = 0; k < self.spin_reads; ++k) {
      const std::uint32_t used = self.spin[k].last.step;
      if (self.spin[k].object == change.object && used > std::max(since, change.took_back) &&
          used < change.step)
        return true;
    }
  }
  return false;
}

void begin_spin(Fiber& self, Loop loop, SpinRead& at) {
  if (!self.spinning) {
    ++g.spinning;
    depend_on_all(); // who spins goes behind all others
    if (g_telling_events) tell_spin(self);
  }
  self.spinning = g.spun = true;
  if (loop == Loop::proven || self.loop == Loop::none) self.loop = loop;
  self.home = static_cast<unsigned>(&at - self.spin);
  self.at_home = true;
}

// While a loop goes on, its state is hashed at two reads in a row of so many: hashing is most of the cost.
constexpr std::uint32_t k_reads_per_hash = 32;

bool is_hashed(const Fiber& self, const SpinRead& read) {
  return self.loop != Loop::going_on || read.count % k_reads_per_hash < 2;
}

bool in_own_frames(const Fiber& self, const void* object) {
  return self.pending.operation == Operation::plain_write && is_on_own_stack(self.pending.frame) &&
         object >= self.pending.frame && object < stack_end(self);
}

constexpr std::uint64_t k_never_taken_back = 0x9e3779b97f4a7c15; // a part of Fiber::net

std::uint64_t hash_of(std::uint64_t place, std::uint64_t content) {
  const std::uint64_t words[] = {place, content};
  const std::uint64_t hash = hash_words(words, words + 2, 0);
  return hash ^ hash >> 32;
}

SpinState state_now(const Fiber& self) {
  return {state_of(self), self.writes, self.clock_reads, g.unrest, g.step};
}

constexpr bool is_power_of_two(std::uint32_t count) { return (count & (count - 1)) == 0; }

// The turns between the two have changed nothing.
bool same_state(const SpinState& before, const SpinState& now) {
  return before.state == now.state && before.writes == now.writes;
}

bool is_calm(const SpinState& before, const SpinState& now) {
  return before.clock_reads == now.clock_reads && before.unrest == now.unrest;
}

// A turn of the loop may end here. If it changed nothing, the step at which it began; otherwise false.
bool ends_turn(SpinRead& read, const SpinState& now, std::uint32_t& since) {
  const bool once = same_state(read.last, now);
  const bool round = same_state(read.anchor, now);
  since = once ? read.last.step : read.anchor.step;
  if (round)
    read.calm_turns = is_calm(read.anchor, now) ? read.calm_turns + 1 : 0;
  else if (once || is_power_of_two(read.count))
    read.calm_turns = 0;
  if (round || once || is_power_of_two(read.count)) read.anchor = now;
  read.last = now;
  return once || round;
}

// The operation tells its thread nothing of a lock, except that it waits while the lock is held.
bool only_waits(Operation operation) {
  switch (operation) {
  case Operation::mutex_lock:
  case Operation::mutex_unlock:
  case Operation::rwlock_read:
  case Operation::rwlock_write:
  case Operation::rwlock_unlock:
  case Operation::semaphore_wait:
  case Operation::semaphore_post:
  case Operation::spin_lock:
  case Operation::spin_unlock:
    return true;
  default:
    return false;
  }
}

// The fiber has executed an operation that may belong to a spin. `value`: what it read, or left.
void come_to(Fiber& self, void* object, std::uint64_t value, bool changes) {
  if (g.beyond_limit) return; // how loops end is seen there
  self.seen_midway = false;
  count_writes(self);
  SpinRead* read = nullptr;
  const bool may_be_there = (self.spin_objects & bit_of(object)) != 0;
  for (unsigned i = 0; may_be_there && i < self.spin_reads; ++i)
    if (self.spin[i].pc == self.pending.pc && self.spin[i].object == object) read = &self.spin[i];
  if (read != nullptr && read->value != value) { // all counts begin again
    end_spin(self);
    read = nullptr;
  }
  if (read == nullptr) {
    if (self.spin_reads == k_spin_window) end_spin(self);
    const SpinState now = {0, self.writes, self.clock_reads, g.unrest, g.step};
    self.spin_objects |= bit_of(object);
    self.spin[self.spin_reads++] = {
        self.pending.pc,        object,  value, self.net, now, now, 1, 0, self.level,
        self.pending.operation, changes, true};
    if (changes && !self.changing) ++g.changing;
    self.changing = self.changing || changes;
    return;
  }
  const bool yields = self.pending.operation == Operation::yield;
  // A loop that writes works. The end of a time slice keeps it from running for ever.
  const bool changed = read->net != self.net || read->last.writes != self.writes;
  const bool holds_more = self.level > read->low; // it holds what this turn has taken: no place to wait
  const bool begins = changed || holds_more || !read->fresh;
  read->count = changed ? 1 : read->count + 1;
  self.equal_turns = read->count - 1;
  // It may be a spin soon. Whether it is depends on more than its history: on what others do at the same
  // time.
  if (!changed && (!read->changes || read->count >= k_spin_reads)) fingerprint_dark(true);
  read->changes = read->changes || changes;
  read->fresh = true;
  read->net = self.net;
  read->low = self.level;
  if (begins) read->last = read->anchor = {0, self.writes, self.clock_reads, g.unrest, g.step};
  if (begins || !is_hashed(self, *read)) return;
  const std::uint32_t clock_reads = read->last.clock_reads;
  const std::uint32_t turn_began = read->last.step;
  std::uint32_t since = 0;
  const bool same = ends_turn(*read, state_now(self), since);
  const std::uint32_t most = yields ? k_spin_yields_any_state : k_spin_reads_any_state;
  const bool polls_clock = self.clock_reads != clock_reads;
  if (same && read->count >= k_spin_reads && !is_stale(self, since)) {
    const bool may_end = polls_clock && g.control->config.timeouts; // its time may be over in the next turn
    begin_spin(self, may_end ? Loop::suspected : Loop::proven, *read);
    self.turn_since = since;
    unwake(self, since);
  } else if (read->count >= most && !is_stale(self, turn_began)) {
    begin_spin(self, Loop::suspected, *read);
  } else {
    return;
  }
  self.polls_clock = polls_clock;
}

} // namespace

void begin_spins() {
  g.spinning = g.woken = g.changing = 0;
  g_change_count = 0;
}

void end_spin(Fiber& fiber) {
  if (fiber.spinning) --g.spinning;
  if (fiber.changing) --g.changing;
  fiber.changing = false;
  fiber.spinning = false;
  fiber.loop = Loop::none;
  fiber.spin_reads = 0;
  fiber.equal_turns = 0;
  fiber.spin_objects = 0;
  remove_waker(fiber);
}

void note_begin(Fiber& self) {
  remove_waker(self);
  self.at_home = false;
}

bool in_turn(const Fiber& fiber) { return fiber.spinning && fiber.changing && !fiber.at_home; }

bool holds_more(const Fiber& fiber) { return fiber.spinning && fiber.net != fiber.spin[fiber.home].net; }

void note_read(void* object, std::uint64_t value) {
  if (!g.controlled || g.fibers < 2) return;
  Fiber& self = *g.current;
  if (g.changing != 0) note_seen(self, object);
  come_to(self, object, value, false);
}

void note_change(void* object, std::uint64_t before, std::uint64_t now) {
  Fiber& self = *g.current;
  // Work of the runtime, and of the unwinder, is no operation of the loop.
  if (!g.controlled || g.fibers < 2 || !g.active || self.pending.object != object) return;
  if (before == now) {
    note_read(object, now);
    return;
  }
  if (has_unseen_code()) { // which may have written what the lock guards
    note_write(object);
    return;
  }
  note_changed(self, object);
  self.seen_midway = false;
  const auto place = reinterpret_cast<std::uint64_t>(object);
  self.net += hash_of(place, now) - hash_of(place, before);
  self.level += now > before ? 1 : -1;
  for (unsigned i = 0; i < self.spin_reads; ++i)
    if (self.level < self.spin[i].low) self.spin[i].low = self.level;
  if (!self.changing) ++g.changing;
  self.changing = true;
  come_to(self, object, now, true);
  remember_change(self, object, before, take_back(self, object, now));
}

bool waits_for_ever(const Fiber& fiber, std::uint32_t calm_turns) {
  bool calm = false;
  for (unsigned i = 0; i < fiber.spin_reads; ++i) {
    const SpinRead& read = fiber.spin[i];
    if (!in_loop(fiber, read)) continue;
    calm = calm || (read.last.unrest == g.unrest && read.calm_turns >= calm_turns);
  }
  return fiber.loop == Loop::proven && calm;
}

bool is_seen_by(const Fiber& changer, const Fiber& other) {
  for (unsigned i = 0; i < changer.spin_reads; ++i)
    for (unsigned k = 0; k < other.spin_reads; ++k) {
      const SpinRead& change = changer.spin[i];
      const SpinRead& seen = other.spin[k];
      if (change.changes && seen.object == change.object && in_loop(changer, change) &&
          in_loop(other, seen) && !only_waits(seen.operation))
        return true;
    }
  return false;
}

void note_next_operation(Fiber& fiber) {
  const Pending& next = fiber.pending;
  if (next.operation == Operation::yield || next.operation == Operation::sleep)
    return; // a pause within the loop
  for (unsigned i = 0; i < fiber.spin_reads; ++i)
    if (fiber.spin[i].pc == next.pc && fiber.spin[i].object == next.object) return;
  end_spin(fiber);
}

void note_write(void* object) {
  if (!g.controlled) return;
  Fiber& self = *g.current;
  // A write to the thread's own frames is part of the state that decides about a spin.
  if (!in_own_frames(self, object) || uses(self, object)) {
    end_spin(self);
    self.seen_midway = false;
    self.net += k_never_taken_back;
  }
  note_changed(self, object);
  remember_change(self, object, 0, 0);
}

} // namespace reex
