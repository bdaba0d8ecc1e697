// Most variables are of one call of foresee(), which sets them up.
#include "reex/runtime/schedule/foresight.h"

#include <algorithm>

#include "reex/runtime/core/enabled.h"
#include "reex/runtime/core/process.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/runtime/order/gates.h"
#include "reex/runtime/order/histories.h"
#include "reex/runtime/order/script.h"
#include "reex/search/search.h"

namespace reex {
namespace {

constexpr std::uint32_t k_most_steps = 1u << 16; // longer schedules are executed
constexpr unsigned k_nobody_ended = k_apart_threads;
constexpr unsigned k_least = 6; // one schedule in so many is to be cut short

// A thread of the schedule that is followed, by number.
struct Actor {
  const Act* pending; // a stand, a join or an end
  std::uint8_t flags;
  std::uint8_t ended; // the thread whose end let this joiner go on; k_nobody_ended: none
  int creator;        // goes on when this thread has come to its first operation; -1: nobody
};

constinit Histories g_histories;
constinit Dependence g_dependence;
Actor g_actors[k_apart_threads];
unsigned g_count;     // threads created so far
bool g_some_joined;   // what a new thread gets is not known any more
std::uint64_t g_live; // by number
constinit Gates g_gates;
std::uint64_t g_start; // virtual time, which does not pass
std::uint32_t g_step;
std::uint64_t g_most_steps;
std::uint32_t g_hash;
std::uint32_t g_operations; // since the last slice began
bool g_cut_short;
unsigned g_tried;       // this and what follows: of the worker
unsigned g_cut;         // of these
unsigned g_passed_over; // while it is not worth it
unsigned g_executed;    // schedules, since it was last looked at what they came to
unsigned g_in_vain;     // of these

struct {
  bool cut_short;
  std::uint32_t hash;
  std::uint32_t step;
} g_expected; // of the execution under way, if it is checked

struct Enabled {
  std::uint16_t thread[k_apart_threads];
  unsigned count;
};

Step g_steps[k_apart_threads];
std::uint8_t g_bits[k_apart_threads];
std::uint64_t g_joins[k_apart_threads];

bool is_live(unsigned thread) { return (g_live & thread_bit(thread)) != 0; }

bool is_enabled(unsigned thread) {
  const Act& pending = *g_actors[thread].pending;
  if (pending.kind == ActKind::join) return !is_live(pending.thread);
  const Gate gate = gate_of(pending.operation);
  if (gate == Gate::none) return true;
  const bool notified = (g_actors[thread].flags & k_notified) != 0;
  if (gate == Gate::notified) return notified;
  if (gate == Gate::notified_and_free && !notified) return false;
  const int state = g_gates.state_of(pending.value[0]);
  if (state == 0 || (gate == Gate::free_to_read && state < 0)) return true;
  return (pending.flags & k_may_lock_again) != 0 && state == static_cast<int>(thread) + 1;
}

Words words_of(const Act& act) { return words_at(reinterpret_cast<const void*>(act.value[0]), act.size); }

void stand(unsigned thread) {
  const Actor& actor = g_actors[thread];
  g_histories.stand(thread, {.id = thread,
                             .object = reinterpret_cast<const void*>(actor.pending->value[0]),
                             .operation = actor.pending->operation,
                             .flags = actor.flags,
                             .state = is_live(thread) ? FiberState::live : FiberState::finished});
}

Fingerprint around() { return g_histories.around(g_start, 0, 0); }

StateKey reached_key(Fingerprint key) { return {key.a != 0 ? key.a : 1, key.b}; }

void find_steps(const Enabled& enabled, StateKey reached, bool leaving_costs) {
  const Fingerprint state = g_histories.standing(around());
  for (unsigned i = 0; i < enabled.count; ++i)
    g_steps[i] = {key_of_step({state.a, state.b}, reached, enabled.thread[i]), {}};
  for (unsigned i = search().goes_on_first(leaving_costs) ? 1 : 0; i < enabled.count && enabled.count > 1;
       ++i) {
    const unsigned thread = enabled.thread[i];
    const Act& pending = *g_actors[thread].pending;
    Fingerprint after;
    if (pending.kind == ActKind::stand &&
        g_histories.reached_after(thread, thread, pending.operation, words_of(pending), around(), after))
      g_steps[i].reached = reached_key(after);
    search().fetch_ahead(g_steps[i].reached);
  }
}

const std::uint64_t* joins() {
  for (unsigned thread = 0; thread < g_count; ++thread) {
    const Act* pending = g_actors[thread].pending;
    const bool waits = is_live(thread) && pending != nullptr && pending->kind == ActKind::join;
    g_joins[thread] = waits ? thread_bit(pending->thread) : 0;
  }
  return g_joins;
}

// As in the scheduler, where no thread spins or waits for time.
void collect(Enabled& enabled, unsigned last, bool last_is_live) {
  enabled.count = 0;
  if (last_is_live && is_enabled(last)) enabled.thread[enabled.count++] = static_cast<std::uint16_t>(last);
  for (std::uint64_t left = g_live; left != 0; left &= left - 1) {
    const auto thread = static_cast<unsigned>(__builtin_ctzll(left));
    if ((thread != last || !last_is_live) && is_enabled(thread))
      enabled.thread[enabled.count++] = static_cast<std::uint16_t>(thread);
  }
}

void pass_the_turn(Enabled& enabled, unsigned last) {
  unsigned next = 0;
  unsigned best = ~0u;
  for (unsigned i = 0; i < enabled.count; ++i) {
    const unsigned after = (enabled.thread[i] + k_apart_threads - last) % k_apart_threads;
    if (enabled.thread[i] == last || after >= best) continue;
    next = i;
    best = after;
  }
  std::rotate(enabled.thread, enabled.thread + next, enabled.thread + next + 1);
}

// What comes after an end of a slice at which the thread holds what others need, only the scheduler knows.
bool keeps_out_others(unsigned last) {
  for (std::uint64_t left = g_live; left != 0; left &= left - 1) {
    const auto thread = static_cast<unsigned>(__builtin_ctzll(left));
    if (thread != last && g_actors[thread].pending->kind != ActKind::join && !is_enabled(thread)) return true;
  }
  return false;
}

// The thread that executes its pending operation next; -1: following ends here.
int pick(unsigned last, bool last_is_live) {
  const RunConfig& config = g.control->config;
  const bool slice_over = config.slice != 0 && g_operations >= config.slice;
  if (slice_over) g_operations = 0;
  Enabled enabled;
  collect(enabled, last, last_is_live);
  if (enabled.count == 0) return -1;
  const bool current_first = last_is_live && enabled.thread[0] == last;
  if (slice_over) {
    if (current_first && enabled.count == 1 && keeps_out_others(last)) return -1;
    if (!current_first && enabled.count > 1) return -1; // so with who has executed least
    Dependence::on_all();
    if (current_first && enabled.count > 1) pass_the_turn(enabled, last);
  }
  const bool yields = last_is_live && g_actors[last].pending->operation == Operation::yield;
  const bool leaving_is_free = yields && !(slice_over && current_first);
  Search& search = reex::search();
  const bool reducing = (enabled.count > 1 || !current_first) && search.is_beyond_plan();
  if (reducing) {
    const StateKey reached = reached_key(g_histories.reached(around()));
    const bool leaving_costs = enabled.count > 1 && current_first && !leaving_is_free;
    find_steps(enabled, reached, leaving_costs);
    search.reached(reached, leaving_costs);
    if (enabled.count == 1 && search.is_known(g_steps[0].taken)) {
      g_cut_short = true;
      return -1;
    }
  }
  if (enabled.count == 1) return enabled.thread[0];
  const bool matching = !config.search.prioritization.is_basic();
  for (unsigned i = 0; i < enabled.count && matching; ++i)
    g_bits[i] = g_actors[enabled.thread[i]].pending->bits;
  const unsigned rank = search.choose({.kind = ChoiceKind::run,
                                       .count = enabled.count,
                                       .thread = enabled.thread,
                                       .bits = matching ? g_bits : nullptr,
                                       .current_first = current_first,
                                       .leaving_is_free = leaving_is_free,
                                       .step = g_step,
                                       .hash = g_hash,
                                       .steps = reducing ? g_steps : nullptr,
                                       .joins = reducing && search.wants_joins() ? joins() : nullptr});
  g_cut_short = rank == Search::k_pruned;
  return rank < enabled.count ? enabled.thread[rank] : -1;
}

// False: the schedule is too long, or the plan is not what comes.
bool begin_operation(unsigned thread) {
  const Act& pending = *g_actors[thread].pending;
  const bool joins = pending.kind == ActKind::join;
  g_hash = g_hash * 0x01000193u ^ (static_cast<unsigned>(pending.operation) << 8 | thread);
  if (!joins) {
    ++g_operations;
    g_histories.operate(thread, g_dependence, thread, pending.operation, words_of(pending));
  }
  return ++g_step <= g_most_steps && !g_histories.is_full();
}

bool choose(unsigned thread, const Act& act) {
  std::uint16_t ids[k_most_chosen_from];
  for (unsigned i = 0; i < act.thread; ++i)
    ids[i] = static_cast<std::uint16_t>(act.value[i / 4] >> i % 4 * 16);
  g_histories.stay(thread);
  unsigned chosen = 0;
  if (act.thread > 1) {
    chosen = search().choose({.kind = static_cast<ChoiceKind>(act.flags),
                              .count = act.thread,
                              .thread = ids,
                              .bits = nullptr,
                              .current_first = false,
                              .leaving_is_free = true,
                              .step = g_step,
                              .hash = g_hash});
    g_cut_short = chosen == Search::k_pruned;
    if (chosen >= act.thread) return false;
    g_histories.receive(thread, ids[chosen]);
  }
  g_hash = g_hash * 31 + ids[chosen];
  return true;
}

// The one that waits for the thread's end.
int joiner_of(unsigned target) {
  for (std::uint64_t left = g_live; left != 0; left &= left - 1) {
    const int thread = __builtin_ctzll(left);
    const Act* pending = g_actors[thread].pending;
    if (pending != nullptr && pending->kind == ActKind::join && pending->thread == target) return thread;
  }
  return -1;
}

// The thread has come to an operation or to its end. Returns who goes on; -1: following ends here.
int switch_from(unsigned thread) {
  Actor& self = g_actors[thread];
  stand(thread);
  if (const int creator = self.creator; creator >= 0) {
    self.creator = -1;
    return creator;
  }
  int next = -1;
  if (is_live(thread)) {
    const unsigned ended = self.ended;
    self.ended = k_nobody_ended;
    next = ended == k_nobody_ended ? pick(thread, true) : pick(ended, false);
  } else if (g_live == 0) {
    return -1; // the process ends
  } else if (next = joiner_of(thread); next >= 0) {
    g_actors[next].ended = static_cast<std::uint8_t>(thread);
  } else {
    next = pick(thread, false);
  }
  if (next < 0 || !begin_operation(static_cast<unsigned>(next))) return -1;
  return next;
}

// What the thread does between two operations. Returns who goes on then; -1: following ends here.
int act(unsigned thread, const Act& act) {
  Actor& self = g_actors[thread];
  switch (act.kind) {
  case ActKind::dark:
    return -1;
  case ActKind::stand:
  case ActKind::end:
    self.pending = &act;
    self.flags = act.flags & static_cast<std::uint8_t>(~k_may_lock_again);
    if (act.kind == ActKind::end) g_live &= ~thread_bit(thread);
    return switch_from(thread);
  case ActKind::join:
    if (is_live(act.thread)) {
      self.pending = &act;
      self.flags = 0;
      return switch_from(thread);
    }
    g_dependence.joined(thread, act.thread);
    g_histories.join(thread, act.thread, false);
    g_some_joined = true;
    break;
  case ActKind::operate:
    g_histories.operate(thread, g_dependence, thread, act.operation, words_of(act));
    break;
  case ActKind::use:
    g_histories.use(thread, g_dependence, thread, {act.value[0], act.value[1]}, act.flags != 0);
    break;
  case ActKind::leave:
    g_histories.leave(thread, g_dependence, thread, {act.value[0], act.value[1]});
    break;
  case ActKind::receive:
    g_histories.receive(thread, act.value[0]);
    break;
  case ActKind::create:
    if (g_some_joined) return -1;
    g_actors[g_count] = {nullptr, 0, k_nobody_ended, static_cast<int>(thread)};
    g_live |= thread_bit(g_count);
    g_dependence.created(thread, g_count);
    g_histories.create(thread, g_count, g_count, act.value[0]);
    return static_cast<int>(g_count++);
  case ActKind::touch:
    g_dependence.on(thread, act.thread);
    g_histories.touch(thread, act.thread);
    g_actors[act.thread].flags = act.flags;
    stand(act.thread);
    break;
  case ActKind::gate:
    if (!g_gates.set(act.value[0], static_cast<int>(act.value[1]))) return -1;
    g_histories.stay(thread);
    break;
  case ActKind::ask:
    g_histories.ask(thread, (g_live & (g_live - 1)) == 0);
    break;
  case ActKind::choose:
    if (!choose(thread, act)) return -1;
    break;
  }
  return static_cast<int>(thread);
}

void begin(std::uint64_t start_time, std::uint64_t step_limit) {
  g_start = start_time;
  g_most_steps = std::min<std::uint64_t>(step_limit, k_most_steps);
  g_histories.begin();
  g_dependence.begin();
  g_actors[0] = {nullptr, 0, k_nobody_ended, -1};
  g_count = 1;
  g_some_joined = false;
  g_live = 1;
  g_gates.begin();
  g_step = g_hash = g_operations = 0;
  g_cut_short = false;
}

// To follow a schedule in vain costs a fifth of an execution, about.
bool is_worth_it() {
  constexpr unsigned k_first = 256;
  constexpr unsigned k_one_in = 64;
  if (g_tried == 16 * k_first) g_tried /= 2, g_cut /= 2; // what was long ago counts less
  const bool is_checked = foresight_use() == ForesightUse::check;
  if (g_tried < k_first || g_cut * k_least >= g_tried)
    g_script_use = ScriptUse::grows;
  else if (g_script_use == ScriptUse::grows)
    g_script_use = ScriptUse::rests;
  if (g_script_use == ScriptUse::grows || is_checked) return true;
  return g_script_use == ScriptUse::rests && ++g_passed_over % k_one_in == 0;
}

// While the script rests, executions tell what there is to save. If it is too little, nothing is noted or
// tried.
void count(bool cut_short) {
  constexpr unsigned k_looked_at = 256;
  ++g_executed;
  g_in_vain += cut_short;
  if (g_executed < k_looked_at) return;
  if (g_script_use != ScriptUse::grows && foresight_use() != ForesightUse::check)
    g_script_use = g_in_vain * k_least < k_looked_at ? ScriptUse::sleeps : ScriptUse::rests;
  g_executed = g_in_vain = 0;
}

} // namespace

bool foresight_held(bool cut_short) {
  if (search().learning() && !search().is_audit()) count(cut_short);
  const bool expected = g_expected.cut_short;
  g_expected.cut_short = false;
  if (!expected) return true;
  const bool same_step = g.step == g_expected.step;
  const bool same = g.hash == g_expected.hash;
  // Meanwhile, other workers may have marked steps, or have taken them over: it ends sooner or later.
  return search().has_company() ? !same_step || same : cut_short && same_step && same;
}

bool foresee(std::uint64_t start_time, std::uint64_t step_limit) {
  g_expected.cut_short = false;
  if (!has_script() || !search().can_follow() || !is_worth_it()) return false;
  ++g_tried;
  begin(start_time, step_limit);
  for (int thread = 0; thread >= 0;) {
    const Fingerprint place = g_histories.place(static_cast<unsigned>(thread));
    const Act* next = act_at(place);
    if (next == nullptr) next = act_at(place_of_creation(place, g_count));
    thread = next == nullptr ? -1 : act(static_cast<unsigned>(thread), *next);
  }
  g_cut += g_cut_short;
  const bool is_over = g_cut_short && foresight_use() != ForesightUse::check;
  if (is_over)
    search().commit_followed();
  else
    search().execute_followed();
  g_expected = {g_cut_short && !is_over, g_hash, g_step};
  return is_over;
}

} // namespace reex
