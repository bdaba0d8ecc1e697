#include "reex/runtime/record/self_check.h"

#include <cstring>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/process.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/record/by_page.h"
#include "reex/runtime/record/captured_output.h"
#include "reex/runtime/record/trace.h"
#include "reex/runtime/record/unexplored.h"

namespace reex {
namespace {

constexpr unsigned k_objects = 1u << 14; // objects that are distinguished; a power of two
constexpr unsigned k_frames = 12;        // stored for each step: enough to reach the user's code
constexpr unsigned k_steps_with_stack = 4096;

enum class Doing : std::uint8_t { nothing, recording, comparing };

Doing g_doing = Doing::nothing;
std::uint32_t g_steps = 0;
std::uint64_t g_points = 0; // status.points before the second execution, which does not count
struct Object {
  std::uintptr_t address;
  std::uint32_t ordinal;
  std::uint32_t execution; // if it is not g_numbered_execution, the entry is free
};

Object g_objects[k_objects];
std::uint32_t g_numbered_execution = 0;
std::uint32_t g_object_count = 0;

SelfCheck& check() { return g.control->check; }

// Objects are numbered by their first use, because addresses may differ between processes.
std::uint32_t ordinal(const void* object) {
  if (object == nullptr) return 0;
  const auto address = reinterpret_cast<std::uintptr_t>(object);
  for (std::uint64_t i = place_by_page(address, sizeof(Object));; ++i) {
    Object& entry = g_objects[i % k_objects];
    const bool is_free = entry.execution != g_numbered_execution;
    if (!is_free && entry.address == address) return entry.ordinal;
    if (!is_free) continue;
    if (g_object_count == k_objects / 2) return 0;
    entry = {address, ++g_object_count, g_numbered_execution};
    return g_object_count;
  }
}

void begin(Doing what) {
  ++g_numbered_execution;
  g_object_count = 0;
  g_steps = 0;
  g_doing = what;
  g.recorded = true;
}

void end() {
  g_doing = Doing::nothing;
  g.recorded = g.detail;
  check().running = false;
}

void keep_stack(Visit& visit, unsigned frames) {
  SelfCheck& kept = check();
  visit.first_pc = kept.pcs_used;
  visit.depth = 0;
  if (kept.pcs_used + frames > k_max_trace_steps) return;
  visit.depth = static_cast<std::uint8_t>(walk_stack(kept.pcs + kept.pcs_used, frames));
  kept.pcs_used += visit.depth;
}

CheckedEnd how_it_ended() {
  const Ending& ending = g.control->ending;
  CheckedEnd seen{.end = ending.end, .value = ending.value, .patience = ending.patience};
  seen.output_length = hash_output(seen.output_hash);
  return seen;
}

bool same(const CheckedEnd& a, const CheckedEnd& b) { return a.end == b.end && a.value == b.value; }

bool print_the_same(const CheckedEnd& a, const CheckedEnd& b) {
  return made_process() || (a.output_length == b.output_length && a.output_hash[0] == b.output_hash[0] &&
                            a.output_hash[1] == b.output_hash[1]);
}

} // namespace

void begin_recording() {
  check().steps = check().pcs_used = 0;
  check().promoted = g.control->promoted_known;
  begin(Doing::recording);
}

bool check_is_due() {
  if (check().state != CheckState::recorded) return false;
  if (check().promoted == g.control->promoted_known) return true;
  check().state = CheckState::none; // another worker has begun a round, with other visible operations
  return false;
}

void begin_check(bool after_restore) {
  SelfCheck& kept = check();
  memcpy(g.control->plan.list, kept.plan.list, kept.plan.count * sizeof(Choice));
  search().replay(kept.plan.count);
  kept.differs = false;
  kept.restored = after_restore;
  kept.running = true;
  g_points = g.control->status.points.load();
  begin(Doing::comparing);
}

void check_step(const Fiber& fiber) {
  if (g_doing == Doing::nothing) return;
  SelfCheck& kept = check();
  if (g_steps == k_max_trace_steps) return;
  const std::uint32_t step = g_steps++;
  const Pending& pending = fiber.pending;
  Visit visit{.pc = reinterpret_cast<std::uint64_t>(pending.pc),
              .object = ordinal(pending.object),
              .first_pc = 0,
              .thread = fiber.id,
              .depth = 0,
              .operation = pending.operation};
  if (g_doing == Doing::recording) {
    if (step < k_steps_with_stack) keep_stack(visit, k_frames);
    kept.visit[step] = visit;
    kept.steps = g_steps;
    return;
  }
  const Visit& first = kept.visit[step];
  if (step < kept.steps && first.pc == visit.pc && first.object == visit.object &&
      first.thread == visit.thread && first.operation == visit.operation)
    return;
  keep_stack(visit, k_frames);
  kept.other = visit;
  kept.step = step;
  kept.differs = true;
  kept.ended_early = false;
  end_execution(End::diverged, static_cast<int>(step), nullptr);
}

void end_recording() {
  if (g_doing != Doing::recording) return;
  SelfCheck& kept = check();
  kept.end[0] = how_it_ended();
  kept.length = g.step;
  kept.plan.count = search().decision_count();
  memcpy(kept.plan.list, g.control->plan.list, kept.plan.count * sizeof(Choice));
  kept.state = CheckState::recorded;
  end();
}

Checked end_check(bool restores) {
  if (g_doing != Doing::comparing) return Checked::not_running;
  SelfCheck& kept = check();
  g.control->status.points.store(g_points);
  const CheckedEnd seen = how_it_ended();
  const bool prints_other = !kept.differs && !print_the_same(kept.end[0], seen);
  if (prints_other && !kept.restored) kept.prints_other = true;
  if (!kept.differs &&
      (g_steps != kept.steps || !same(kept.end[0], seen) || (prints_other && kept.restored))) {
    kept.differs = kept.ended_early = true;
    kept.step = g_steps;
    kept.end[1] = seen;
  }
  end();
  if (kept.differs && !waited_outside()) return Checked::differs;
  kept.state = restores && !kept.restored ? CheckState::recorded : CheckState::passed;
  return Checked::same;
}

void note_death_in_check(End end, int value) {
  SelfCheck& kept = check();
  kept.running = false;
  kept.differs = kept.ended_early = true;
  kept.end[1] = {.end = end, .value = value};
  kept.step = kept.steps;
}

} // namespace reex
