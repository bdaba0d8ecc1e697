#include "reex/runtime/schedule/waits_in_vain.h"

#include <algorithm>
#include <utility>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/process.h"
#include "reex/runtime/core/running.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/virtual_time.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/descriptors/kept/open_descriptors.h"
#include "reex/runtime/descriptors/outside.h"
#include "reex/runtime/descriptors/timer_descriptors.h"
#include "reex/runtime/environment/random.h"
#include "reex/runtime/imunit/imunit.h"
#include "reex/runtime/memory/mapped_memory.h"
#include "reex/runtime/memory/private_mappings.h"
#include "reex/runtime/memory/shared_memory.h"
#include "reex/runtime/memory/snapshot.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/runtime/signals/timers.h"
#include "reex/runtime/threads/fiber.h"

namespace reex {

namespace {

constexpr std::uint64_t k_second = 1000000000;
constexpr std::uint64_t k_reading = 1000; // of the clock
constexpr std::uint64_t k_day = 86400 * k_second;
constexpr std::uint64_t k_half_a_year = 183 * k_day;
// Operations beyond the limit. Until no thread can run for the first time, as many as before the limit,
// between these: where the limit is low, and threads never rest, each execution shall not take many times as
// long for this. Who rests may spin for long before each wait, so then there are more.
constexpr std::uint64_t k_fewest_more = 200;
constexpr std::uint64_t k_most_more = 5000;
constexpr std::uint64_t k_most_of_rests = 20000;
// So many jumps in a row must leave everything as it was. The first ones do not, because waits had begun
// before them.
constexpr unsigned k_equal_jumps = 3;
constexpr unsigned k_most_jumps = 16;
// The waits repeat themselves long before the limit. Whoever looks at the schedule sees so much of that.
constexpr std::uint64_t k_shown_steps = 100;
constexpr std::size_t k_words = std::size_t{1} << 16; // of all stacks
constexpr std::size_t k_pushed_words = 7;             // return address, rbp, r15, r14, r13, r12, rbx

// What there is when no thread can run.
struct Rest {
  std::uint64_t now;
  std::uint64_t memory; // its sum
  std::uint64_t descriptors;
  std::uint64_t random;
  unsigned created;
  unsigned live;
  std::size_t words;
};

// Of a pending operation.
struct Waiting {
  Operation operation;
  void* object;
  void* pc;
  void* frame;
  std::uint64_t deadline;
};

std::uint64_t g_waits = 0;        // hash of the waits at the last rest
std::uint32_t g_steady_since = 0; // step of the first rest with these waits
bool g_only_spun = false;         // at the limit
bool g_fingerprinted = false;     // up to the limit
std::uint64_t g_limit = 0;        // of the execution, once it goes on beyond it
std::uint64_t g_points = 0;       // Status::points at the limit
unsigned g_jumps = 0;
unsigned g_equal_jumps = 0; // in a row
std::uint64_t g_jump = 0;   // length of the last one
Rest g_rest_before{};
std::uint64_t g_turns_alone = 0; // operations beyond the limit of one thread, in a row
unsigned g_alone = 0;            // its slot
unsigned g_looks = 0;            // at everything, in an execution
Waiting g_waiting[k_max_threads];
std::uint64_t g_words[k_words];

// The thread waits in a call of a function of the runtime that has pushed the caller's registers right below
// the return address (REEX_READ_CALLER), on its own stack.
bool has_pushed_registers(const Fiber& fiber) {
  const auto* frame = static_cast<void* const*>(fiber.pending.frame);
  const void* low = &fiber == g.current ? __builtin_frame_address(0) : fiber.context;
  return frame > low && static_cast<const void*>(frame) < stack_end(fiber) && frame[-1] == fiber.pending.pc;
}

// The order of the threads does not matter for how the wait ends: by its time limit. A lock that another
// thread waits for, too, may be free at another time.
bool ends_by_time(Operation operation) {
  switch (operation) {
  case Operation::cond_reacquire:
  case Operation::futex_sleep:
  case Operation::poll:
  case Operation::semaphore_wait:
  case Operation::sleep:
    return true;
  default:
    return false;
  }
}

bool is_known(Operation operation, bool alone) {
  return ends_by_time(operation) || (alone && operation == Operation::mutex_timedlock);
}

// Nobody but the threads changes anything, and it is known what they change.
bool all_is_known() {
  if (has_unseen_code() || (!g.in_place && somebody_outside())) return false;
  if (has_mapped_memory() || has_private_mappings() || shared_memory_size() != 0)
    return false; // memory_sum() does without it
  return std::min(next_timer(), next_timer_descriptor()) == k_never;
}

// Nothing but the end of a time limit wakes anybody.
bool only_wait_for_time() {
  if (!all_is_known()) return false;
  const auto waiting = std::count_if(alive().begin(), alive().end(),
                                     [](const Fiber* fiber) { return fiber->pending.deadline != k_never; });
  for (const Fiber* fiber : alive()) {
    const Pending& pending = fiber->pending;
    if (!has_pushed_registers(*fiber)) return false;
    if (pending.deadline == k_never) continue;
    if (!is_known(pending.operation, waiting == 1)) return false;
    if (pending.deadline > g_time.now && pending.deadline - g_time.now > k_half_a_year / 2) return false;
  }
  return true;
}

// A time that is later by `by`, in a usual unit, or no time.
bool is_equal_but_for_time(std::uint64_t before, std::uint64_t now, std::uint64_t by) {
  const std::uint64_t later = now - before;
  return later == 0 || later == by || later == by / 1000 || later == by / 1000000 || later == by / k_second;
}

bool is_same_wait(const Waiting& before, const Waiting& now, std::uint64_t by) {
  return before.operation == now.operation && before.object == now.object && before.pc == now.pc &&
         before.frame == now.frame &&
         (now.deadline == before.deadline ||
          (before.deadline != k_never && now.deadline == before.deadline + by));
}

// Compares the thread's registers and stack with what they were, and keeps them.
bool keep_stack(const Fiber& fiber, std::size_t& words, std::uint64_t by, bool keeps) {
  const auto* low = static_cast<const std::uint64_t*>(fiber.pending.frame) - k_pushed_words;
  const auto* high = reinterpret_cast<const std::uint64_t*>(stack_end(fiber));
  const auto count = static_cast<std::size_t>(high - low);
  if (count > k_words - words) end_at_limit();
  const Pending& pending = fiber.pending;
  const Waiting now = {pending.operation, pending.object, pending.pc, pending.frame, pending.deadline};
  bool same = is_same_wait(g_waiting[fiber.slot], now, by);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t& before = g_words[words + i];
    same = same && is_equal_but_for_time(before, low[i], by);
    if (keeps) before = low[i];
  }
  words += count;
  if (keeps) g_waiting[fiber.slot] = now;
  return same;
}

// Whether everything is as it was at the last rest that was kept, but for times that are later by `by`.
bool is_as_before(std::uint64_t by, bool keeps = true) {
  Rest rest{g_time.now, memory_sum(), descriptors_sum(), place_of_random(), g.created, g.live, 0};
  bool same = rest.memory != 0 && rest.memory == g_rest_before.memory &&
              rest.descriptors == g_rest_before.descriptors && rest.random == g_rest_before.random &&
              rest.created == g_rest_before.created && rest.live == g_rest_before.live;
  for (const Fiber* fiber : alive()) same = keep_stack(*fiber, rest.words, by, keeps) && same;
  same = same && rest.words == g_rest_before.words;
  if (keeps) g_rest_before = rest;
  return same;
}

// The execution is what it was at the limit.
void come_back(std::uint64_t step) {
  g.step = static_cast<std::uint32_t>(step);
  g_fingerprinting = g_fingerprinted;
  g.control->status.points.store(g_points, std::memory_order_relaxed);
  g.beyond_limit = false;
}

[[noreturn]] void end_in_vain() {
  Ending& ending = g.control->ending;
  ending.steps = g_limit;
  ending.limit = std::min(g_steady_since + k_shown_steps, ending.steps);
  come_back(ending.steps);
  end_execution(end_of_standstill(End::livelock), 0, nullptr);
}

} // namespace

void begin_limit() {
  g.beyond_limit = false;
  g_jumps = g_equal_jumps = 0;
  g_waits = 0;
  g_steady_since = 0;
}

void note_rest() {
  std::uint64_t waits = 0;
  for (const Fiber* fiber : alive()) {
    const Pending& pending = fiber->pending;
    for (const std::uint64_t word :
         {static_cast<std::uint64_t>(fiber->id), static_cast<std::uint64_t>(pending.operation),
          reinterpret_cast<std::uint64_t>(pending.pc), reinterpret_cast<std::uint64_t>(pending.object)})
      waits = (waits ^ word) * 0x9e3779b97f4a7c15 + (waits >> 29);
  }
  if (waits != g_waits) g_steady_since = g.step;
  g_waits = waits;
}

bool goes_beyond_limit(bool only_spins) {
  if (!g.beyond_limit) g_only_spun = only_spins;
  if (g.beyond_limit || g.exiting >= 0) return false;
  g.beyond_limit = true;
  stop_noting();
  g_fingerprinted = std::exchange(g_fingerprinting, false);
  g_points = g.control->status.points.load(std::memory_order_relaxed);
  g_rest_before = {};
  g_turns_alone = 0;
  g_looks = 0;
  g_limit = g.step_limit;
  g.step_limit += std::clamp(g_limit, k_fewest_more, k_most_more);
  for (Fiber* fiber : alive()) end_spin(*fiber);
  return true;
}

void end_at_limit() {
  if (g.beyond_limit) come_back(g_limit + 1);
  end_execution(End::step_limit, g_only_spun ? 1 : 0, "the step limit was reached");
}

void look_beyond_limit(Operation operation) {
  const bool is_compared = operation <= Operation::descriptor_write || operation == Operation::poll ||
                           operation == Operation::library_read;
  if (!is_compared) end_at_limit();
}

// As in Brent's cycle detection, the state is compared with that of an earlier operation, which moves to the
// operations 16, 32, 64 ... A look takes some 100 microseconds, and threads are often alone for a moment.
void note_alone(const Fiber* only) {
  constexpr unsigned k_most_looks = 64;
  constexpr std::uint64_t k_first = 16;
  if (only == nullptr || only->slot != g_alone) g_turns_alone = 0;
  if (only == nullptr) return;
  const Fiber& self = *only;
  g_alone = self.slot;
  const std::uint64_t turns = ++g_turns_alone;
  const Pending& pending = self.pending;
  const Waiting& anchor = g_waiting[self.slot];
  const bool moves = turns >= k_first && (turns & (turns - 1)) == 0;
  const bool may_be_back = turns > k_first && pending.pc == anchor.pc && pending.frame == anchor.frame &&
                           pending.object == anchor.object && pending.operation == anchor.operation;
  if ((!moves && !may_be_back) || g_looks == k_most_looks) return;
  ++g_looks;
  if (!all_is_known() || !has_pushed_registers(self)) return;
  for (const Fiber* fiber : alive())
    if (fiber->pending.deadline != k_never) return;
  const bool same = is_as_before(g_time.now - g_rest_before.now, moves);
  if (!same || !may_be_back || g_time.now != g_rest_before.now) return;
  if (const std::uint32_t choices = search().decision_count(); choices != 0)
    g_steady_since = std::max(g_steady_since, g.control->plan.list[choices - 1].step);
  end_in_vain();
}

std::uint64_t read_clock_beyond_limit() {
  if (++g.step > g.step_limit) end_at_limit();
  move_time(g_time.now + k_reading);
  return g_time.now;
}

std::uint64_t jump_beyond_limit() {
  if (!only_wait_for_time()) end_at_limit();
  const std::uint64_t since = g_time.now - g_rest_before.now;
  const bool same = is_as_before(since);
  // Of whole days: then a time is later by the same in each unit.
  g_equal_jumps = same && since % k_day == 0 ? g_equal_jumps + 1 : 0;
  if (g_equal_jumps == k_equal_jumps) end_in_vain();
  if (g_jumps == k_most_jumps) end_at_limit();
  const std::uint64_t worked = g_jumps == 0 ? 0 : since - g_jump; // until all wait again, as the next time
  ++g_jumps;
  g.step_limit = std::max(g.step_limit, g_limit + k_most_of_rests); // a circle may have raised it further
  g_jump = k_half_a_year - worked;
  return g_time.now + g_jump;
}

} // namespace reex
