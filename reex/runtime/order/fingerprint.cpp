// All of these variables belong to one execution. A restore leaves them alone; begin_fingerprint and
// fingerprint_created reset what the new execution uses.
#include "reex/runtime/order/fingerprint.h"

#include "reex/runtime/core/enabled.h"
#include "reex/runtime/core/objects.h"
#include "reex/runtime/core/process.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/virtual_time.h"
#include "reex/runtime/machine/modules.h"
#include "reex/runtime/order/dependence.h"
#include "reex/runtime/order/finding.h"
#include "reex/runtime/order/gates.h"
#include "reex/runtime/order/histories.h"
#include "reex/runtime/order/race.h"
#include "reex/runtime/order/script.h"
#include "reex/runtime/order/shadow_memory.h"
#include "reex/runtime/order/time_ahead.h"
#include "reex/runtime/record/match.h"

namespace reex {

bool g_fingerprinting = false;

namespace {

constinit Histories g_histories;
constinit Dependence g_dependence;
constinit Gates g_gates;                // while the execution adds to the script
std::size_t g_extent_of[k_max_threads]; // by slot
bool g_some_joined; // a later thread may get what a joined one has used: its stack, its slot

bool may_fail(const Fiber& joiner) { return joiner.pending.deadline != k_never; }

// The join is an operation as others are: it may fail, or what another thread does to the joiner may come
// right before it.
bool is_as_others(const Fiber& joiner) { return may_fail(joiner) || is_async_target(joiner); }

Words words_of(const Fiber& fiber, const void* object) { return words_at(object, g_extent_of[fiber.slot]); }

std::uint8_t flags_of(const Pending& pending) {
  return static_cast<std::uint8_t>((pending.timed_out ? k_timed_out : 0) |
                                   (pending.notified ? k_notified : 0) |
                                   (pending.interrupted ? k_interrupted : 0) | (pending.slept ? k_slept : 0));
}

void stand(const Fiber& fiber) {
  if (fiber.state == FiberState::finished) // what it did last is in its history
    return g_histories.stand(fiber.slot, {.id = fiber.id, .state = fiber.state});
  const Pending& pending = fiber.pending;
  g_histories.stand(fiber.slot, {.id = fiber.id,
                                 .object = pending.object,
                                 .operation = pending.operation,
                                 .flags = flags_of(pending),
                                 .state = fiber.state});
}

// What the future depends on beside the threads' histories.
Fingerprint around() {
  constexpr std::uint64_t k_put_off = 0x3f84d5b5b5470917; // what is not always there is told apart
  constexpr std::uint64_t k_jumps = 0xa458fea3f4933d7e;
  constexpr std::uint64_t k_kept_out = 0x9216d5d98979fb1b;
  constexpr std::uint64_t k_came = 0x24a19947b3916cf7;
  constexpr std::uint64_t k_lap = 0xd1310ba698dfb5ac;
  constexpr std::uint64_t k_goer = 0x2ffd72dbd01adfb7;
  Fingerprint print = g_histories.around(g_time.now, g_time.stood, g.loop_operations);
  if (g.goer >= 0) print = mix(mix(print, k_goer), static_cast<std::uint64_t>(g.goer));
  if (g_time.idled != 0) print = mix(print, g_time.idled);
  if (g_time.passed != 0) print = mix(print, ~g_time.passed);
  if (g_time.put_off != 0) print = mix(mix(print, k_put_off), g_time.put_off);
  if (g_time.jumps != 0 || g_time.turns_by_jumps != 0 || g_time.looks != 0)
    print =
        mix(mix(print, k_jumps), std::uint64_t{g_time.turns_by_jumps} << 32 | g_time.turn_skips << 16 |
                                     g_time.looks << 8 | g_time.jumps << 1 | std::uint64_t{g_time.turn_due});
  if (g_time.kept_out != 0)
    print = mix(mix(print, k_kept_out), std::uint64_t{g_time.kept_out} << 1 | std::uint64_t{g_time.turn_due});
  if (g_time.lapping) {
    print = mix(mix(print, k_lap), g_time.lap);
    for (const Fiber* fiber : alive()) print = mix(print, std::uint64_t{fiber->lap} << 32 | fiber->id);
  }
  if (g_time.some_came)
    for (const Fiber* fiber : alive())
      if (fiber->came) print = mix(mix(print, k_came), fiber->id);
  if (!g_time.waited) return print;
  print = mix(print, std::uint64_t{g_time.short_laps} << 32 | g_time.timer_slices);
  for (const Fiber* fiber : alive())
    if (fiber->slices != 0) print = mix(print, std::uint64_t{fiber->slices} << 32 | fiber->id);
  return print;
}

StateKey key_of(Fingerprint key) { return {key.a != 0 ? key.a : 1, key.b}; }

bool is_wanted() {
  const RunConfig& config = g.control->config;
  if (config.search.reduction == Reduction::none || g.detail || !search().learning()) return false;
  if (search().is_refuted()) return false;
  if (config.search.reduction == Reduction::automatic &&
      (!g.in_place || has_unseen_code() || g.shared->status.code_came))
    return false;
  return g_instrumented && (config.accesses == VisibleAccesses::all ||
                            (config.accesses == VisibleAccesses::racy && config.races));
}

std::uint64_t id_of(unsigned slot) { return g_fibers[slot].id; }

void note(const Act& act) {
  if (g_noting) note_act(g_histories.place(g.current->slot), act);
}

void note_join(const Fiber& target) {
  note({.kind = ActKind::join,
        .operation = Operation::thread_join,
        .thread = target.id,
        .value = {reinterpret_cast<std::uint64_t>(label_of(target))}});
}

// The thread is alone and will stay so, as far as schedules are followed: they are cut short at this
// operation, if at all.
bool is_last_to_note(const Fiber& fiber) {
  return g.live == 1 && g_some_joined && fiber.state != FiberState::finished &&
         fiber.pending.operation != Operation::thread_join;
}

// The threads' numbers are their slots' as long as nobody gets the slot of one that is gone.
void note_standing(const Fiber& fiber) {
  const Pending& pending = fiber.pending;
  if (fiber.state == FiberState::finished) {
    note({.kind = ActKind::end});
  } else if (pending.deadline != k_never || has_signal(fiber) ||
             (pending.operation == Operation::thread_join && is_async_target(fiber)) ||
             is_opaque(reinterpret_cast<std::uint64_t>(pending.pc))) {
    note({});
  } else if (pending.operation == Operation::thread_join) {
    note_join(*fiber.joins);
  } else if (gate_of(fiber) == Gate::unknown) {
    note({});
  } else {
    const std::size_t size = g_extent_of[fiber.slot];
    const bool matches = !g.control->config.search.prioritization.is_basic();
    note({.kind = size < 0x10000 ? ActKind::stand : ActKind::dark,
          .operation = pending.operation,
          .flags =
              static_cast<std::uint8_t>(flags_of(pending) | (may_lock_again(fiber) ? k_may_lock_again : 0)),
          .bits = matches ? match_bits(*g.current) : std::uint8_t{0},
          .size = static_cast<std::uint16_t>(size),
          .value = {reinterpret_cast<std::uint64_t>(pending.object)}});
  }
}

} // namespace

void begin_fingerprint() {
  g_fingerprinting = is_wanted();
  begin_script();
  if (!g_fingerprinting) return;
  g_histories.begin();
  g_gates.begin();
  g_extent_of[0] = 0;
  g_some_joined = false;
  g_dependence.begin();
}

void stop_fingerprinting(bool unseen) {
  Status& status = g.shared->status;
  status.code_came = true;
  status.unseen_code = status.unseen_code || unseen;
  depend_on_all();
  fingerprint_dark(true);
  if (g.control->config.search.reduction == Reduction::automatic) g_fingerprinting = false;
}

void fingerprint_standing(const Fiber& fiber) {
  if (!g_fingerprinting) return;
  if (fiber.pending.deadline != k_never) depend_on_all();
  if (g_noting && &fiber == g.current) {
    note_standing(fiber);
    if (is_last_to_note(fiber)) stop_noting();
  }
  stand(fiber);
  if (search().is_beyond_plan()) search().fetch_ahead(reached_key());
}

void fingerprint_operation(Operation operation, const void* object) {
  // It makes no difference whether a thread had to wait for the thread that it joins: fingerprint_join adds
  // what it takes in.
  if (operation == Operation::thread_join && !is_as_others(*g.current)) return;
  if (g_some_ahead) carry_ahead(operation, object);
  if (!g_fingerprinting) return;
  const Fiber& self = *g.current;
  if (scope_of(operation) == Scope::all || g.ranked || g_histories.is_full() ||
      is_opaque(reinterpret_cast<std::uint64_t>(self.pending.pc)))
    fingerprint_fence();
  g_histories.operate(self.slot, g_dependence, self.id, operation, words_of(self, object));
  g_extent_of[self.slot] = 0;
  if (g_noting) fetch_act_ahead(g_histories.place(self.slot));
}

void fingerprint_inner_operation(Operation operation, const void* object) {
  if (g_fingerprinting)
    note({.kind = ActKind::operate,
          .operation = operation,
          .value = {reinterpret_cast<std::uint64_t>(object)}});
  fingerprint_operation(operation, object);
}

void fingerprint_words(Operation operation, const void* address, std::size_t size) {
  if (g_some_ahead) carry_ahead(operation, address);
  if (!g_fingerprinting || size == 0) return;
  const Words words = words_at(address, size);
  const bool writes = scope_of(operation) == Scope::writes;
  note({.kind = ActKind::use, .flags = writes, .value = {words.first, words.last}});
  g_histories.use(g.current->slot, g_dependence, g.current->id, words, writes);
}

void fingerprint_left(std::uintptr_t low, std::uintptr_t high) {
  if (!g_fingerprinting) return;
  const Words words = words_at(reinterpret_cast<const void*>(low), high - low);
  note({.kind = ActKind::leave, .value = {words.first, words.last}});
  g_histories.leave(g.current->slot, g_dependence, g.current->id, words);
}

void fingerprint_extent(std::size_t size) {
  if (g_fingerprinting) g_extent_of[g.current->slot] = size;
}

void fingerprint_value(std::uint64_t value) {
  if (!g_fingerprinting) return;
  note({.kind = ActKind::receive, .value = {value}});
  g_histories.receive(g.current->slot, value);
}

void fingerprint_choice(ChoiceKind kind, const std::uint16_t* ids, unsigned count) {
  if (!g_noting) return;
  Act act{.kind = count <= k_most_chosen_from ? ActKind::choose : ActKind::dark,
          .flags = static_cast<std::uint8_t>(kind),
          .thread = static_cast<std::uint16_t>(count)};
  for (unsigned i = 0; i < count && count <= k_most_chosen_from; ++i)
    act.value[i / 4] |= std::uint64_t{ids[i]} << i % 4 * 16;
  note(act);
  g_histories.stay(g.current->slot);
}

void fingerprint_chosen(std::uint16_t id) {
  if (g_fingerprinting) g_histories.receive(g.current->slot, id);
}

// Its last standing stays in the sums: what a thread has done belongs to the state when it is gone, too.
void fingerprint_reuse(const Fiber& gone) {
  if (!g_fingerprinting) return;
  stop_noting();
  if (gone.detached) depend_on_all(); // it may have ended before or after this
  g_histories.forget(gone.slot, gone.id);
}

void fingerprint_created(Fiber& child) {
  tell_ahead(child);
  if (!g_fingerprinting) return;
  const bool is_foreseen = child.id < k_apart_threads && !child.detached;
  const Act act{
      .kind = is_foreseen ? ActKind::create : ActKind::dark, .thread = child.id, .value = {child.fs}};
  if (g_some_joined) stop_noting();
  if (g_noting) note_act(place_of_creation(g_histories.place(g.current->slot), child.id), act);
  g_dependence.created(g.current->id, child.id);
  g_histories.create(g.current->slot, child.slot, child.id, child.fs);
  g_extent_of[child.slot] = 0;
}

void fingerprint_touch(Fiber& other) {
  tell_ahead(other);
  if (!g_fingerprinting) return;
  note({.kind = ActKind::touch, .flags = flags_of(other.pending), .thread = other.id});
  g_dependence.on(g.current->id, other.id);
  g_histories.touch(g.current->slot, other.slot);
  if (other.pending.deadline != k_never) depend_on_all();
  stand(other);
}

void fingerprint_join(const Fiber& other) {
  count_accesses(); // as it does if it had to wait
  learn_ahead(other);
  if (!g_fingerprinting) return;
  const Fiber& self = *g.current;
  if (is_as_others(self))
    fingerprint_dark(false);
  else
    note_join(other);
  g_dependence.joined(self.id, other.id);
  if (may_fail(self)) g_dependence.on(self.id, other.id);
  g_histories.join(self.slot, other.slot, is_as_others(self));
  g_some_joined = true;
}

void fingerprint_fence() {
  if (!g_fingerprinting) return;
  fingerprint_dark(true);
  depend_on_all();
  g_histories.fence(g.current->slot, g_time.now);
}

void fingerprint_time() {
  if (!g_fingerprinting) return;
  stop_noting();
  depend_on_all();
  g_histories.pass_time(g_time.now);
}

void fingerprint_new_gate(const void* object, int now) {
  const auto address = reinterpret_cast<std::uint64_t>(object);
  if (!g.controlled) note_start(address, now);
  if (!g_noting || !g.active) return; // nobody meets what the runtime and the unwinder do
  note({.kind = ActKind::gate, .value = {address, static_cast<std::uint64_t>(now)}});
  g_histories.stay(g.current->slot);
  if (!g_gates.set(address, now)) stop_noting();
}

void fingerprint_gate(const void* object, int before, int now) {
  if (before == now) return;
  // The runtime and the unwinder come to no operation.
  const Pending& pending = g.current->pending;
  if (g.controlled && pending.object != object && pending.operation != Operation::cond_wait) return;
  // Memory was freed with a closed gate in it, and is used for another object.
  if (g_noting && g.active && g_gates.state_of(reinterpret_cast<std::uint64_t>(object)) != before)
    distrust_script();
  fingerprint_new_gate(object, now);
}

bool is_alone() {
  const bool alone = g.live < 2;
  if (g_noting && g.active) {
    note({.kind = ActKind::ask});
    g_histories.ask(g.current->slot, alone);
  }
  return alone;
}

void fingerprint_dark(bool for_good) {
  note({});
  if (for_good) g_noting = false;
}

void stop_noting() { g_noting = false; }

StateKey state_key() {
  Fingerprint key = g_histories.standing(around());
  if (g.spinning == 0 && g.woken == 0) return {key.a, key.b};
  for (const Fiber* each : alive()) {
    const Fiber& fiber = *each;
    const std::uint64_t id = fiber.id;
    if (fiber.spinning) key = mix(key, id << 8 | static_cast<unsigned>(fiber.loop));
    if (fiber.waker != k_nobody) key = mix(key, (std::uint64_t{fiber.waker} + 1) << 32 | id << 8);
  }
  return {key.a, key.b};
}

StateKey key_of_step(StateKey state, StateKey reached, std::uint64_t id) {
  constexpr std::uint64_t k_place = 0xffffffff;
  const Fingerprint key = mix(Fingerprint{state.a, state.b}, id);
  const std::uint64_t place = (reached.a != 0 ? reached.b : state.b) & k_place;
  return {key.a != 0 ? key.a : 1, place_beside((state.b & ~k_place) | place, id)};
}

StateKey reached_key() {
  return g.spinning == 0 && g.woken == 0 ? key_of(g_histories.reached(around())) : StateKey{};
}

StateKey final_key() {
  return g_fingerprinting ? key_of(g_histories.final(id_of, g.fibers, around())) : StateKey{};
}

StateKey surroundings() {
  const Fingerprint print = around();
  return {print.a, print.b};
}

StateKey reached_key_after(const Fiber& fiber, StateKey surroundings) {
  const Pending& pending = fiber.pending;
  Fingerprint after;
  if (g.spinning != 0 || g.woken != 0 || pending.deadline != k_never || has_signal(fiber) ||
      is_opaque(reinterpret_cast<std::uint64_t>(pending.pc)) ||
      !g_histories.reached_after(fiber.slot, fiber.id, pending.operation, words_of(fiber, pending.object),
                                 {surroundings.a, surroundings.b}, after))
    return {};
  return key_of(after);
}

} // namespace reex
