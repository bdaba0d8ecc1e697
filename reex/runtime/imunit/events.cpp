// The functions that the header calls, and whether a thread is held. g_in_force, g_ended and g_unmet belong
// to one execution: begin_imunit sets them back. g_at_start belongs to the worker.
#include <cstdio>
#include <cstring>

#include "reex/imunit/monitor.h"
#include "reex/runtime/core/enabled.h"
#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/imunit/imunit.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/order/dependence.h"
#include "reex/runtime/order/fingerprint.h"

namespace reex {
namespace {

using imunit::Monitor;

Monitor* g_in_force = nullptr; // null: none
Monitor* g_at_start = nullptr; // in force as executions begin
bool g_ended = false;          // a schedule has come to its end
bool g_unmet = false;          // and was not obeyed

// Blocked as docs/imunit.md has it: the thread cannot execute its pending operation, and somebody else can
// change that. Whether an option lets the wait end early does not matter.
bool is_blocked(const Fiber& fiber) {
  const Operation operation = fiber.pending.operation;
  if (fiber.state != FiberState::live || fiber.spinning || is_at_event(fiber) ||
      operation == Operation::sleep)
    return false;
  const Pending& pending = fiber.pending;
  if (operation == Operation::cond_reacquire && !pending.notified && !pending.timed_out)
    return !has_signal(fiber) && !fiber.own.cancelled;
  return !is_enabled(fiber, false);
}

bool is_blocked(const Monitor& monitor, unsigned event) {
  const Fiber* const fiber = live_thread(monitor.thread[event]);
  return fiber != nullptr && is_blocked(*fiber);
}

int unmet(const Monitor& monitor, std::uint64_t issue) {
  return imunit::unmet(monitor, issue, [&](unsigned event) { return is_blocked(monitor, event); });
}

void check_version(const Monitor& monitor) {
  if (monitor.version != imunit::k_monitor_version || monitor.size != sizeof(Monitor))
    refuse("a schedule of IMUnit that was compiled with another version of reex/imunit.h");
}

void record_schedule(const Monitor& monitor) {
  ImunitRecord& record = g.control->imunit;
  if (record.used) {
    record.several = record.several || record.length != monitor.schedule.length ||
                     memcmp(record.text, monitor.schedule.text, record.length) != 0;
    return;
  }
  record.infeasible = monitor.infeasible;
  record.unknown = monitor.unknown;
  record.checks = monitor.mode == imunit::Mode::check;
  snprintf(record.name, sizeof record.name, "%s", monitor.name);
  record.length = monitor.schedule.length;
  memcpy(record.text, monitor.schedule.text, record.length);
  record.used = true;
}

// Threads that have come to an event when the schedule ends are let go.
void let_go(Monitor& monitor) {
  for (Fiber* fiber : alive()) {
    if (fiber == g.current || !is_at_event(*fiber) || fiber->pending.object != &monitor) continue;
    if (held_for(*fiber) >= 0) monitor.left |= fiber->pending.value;
    fiber->pending.object = nullptr;
    fingerprint_touch(*fiber);
  }
}

// What threads that look at the schedule do from here on depends on whether they have done so before.
void order_with_all() {
  if (g.active && !is_alone()) fingerprint_fence();
}

} // namespace

int held_for(const Fiber& fiber) {
  if (!is_at_event(fiber) || fiber.pending.object == nullptr) return -1;
  const Monitor& monitor = *static_cast<const Monitor*>(fiber.pending.object);
  if (monitor.mode == imunit::Mode::check) return -1;
  const int ordering = unmet(monitor, fiber.pending.value);
  if (ordering >= 0) g.control->imunit.held |= imunit::event_bit(static_cast<unsigned>(ordering));
  return ordering;
}

void snapshot_imunit() {
  g_at_start = g_in_force;
  snapshot_places();
}

void begin_imunit() {
  begin_places();
  g_in_force = g_at_start;
  g_ended = g_unmet = false;
}

bool has_satisfied_schedule() {
  if (g_in_force != nullptr) return !g_unmet && imunit::is_satisfied(*g_in_force);
  return g_ended && !g_unmet;
}

} // namespace reex

using namespace reex;

REEX_EXPORT void reex_imunit_begin(Monitor* monitor) {
  check_version(*monitor);
  if (g.forked_off) return;
  record_schedule(*monitor);
  REEX_POINT(Operation::imunit_scope, monitor);
  order_with_all();
  if (imunit::has_block(monitor->schedule)) depend_on_all();
  g_in_force = monitor;
  imunit::occur(*monitor, imunit::issue_of(monitor->schedule, imunit::EventKind::start, nullptr, "main"), 0,
                monitor->place);
}

REEX_EXPORT void reex_imunit_end(Monitor* monitor) {
  if (g.forked_off) return;
  REEX_POINT(Operation::imunit_scope, monitor);
  order_with_all();
  let_go(*monitor);
  g_in_force = nullptr;
  g_ended = true;
  g_unmet = g_unmet || !imunit::is_satisfied(*monitor);
}

namespace {

void occur_when_allowed(Monitor* monitor, std::uint64_t issue, imunit::Place place, void* pc, void* frame) {
  imunit::reach(*monitor, issue);
  g.control->imunit.unknown &= monitor->unknown; // a library may have come
  g.control->imunit.reached |= imunit::due(*monitor, issue);
  const bool checks = monitor->mode == imunit::Mode::check;
  const bool waits = !checks && unmet(*monitor, issue) >= 0;
  if (!g.controlled && waits)
    end_execution(End::deadlock, 0,
                  "the schedule holds the only thread at an event before there is another one");
  const CancellationPoint point(waits); // as natively: a thread that is held waits at a condition variable
  visible_pending(Operation::imunit_event, monitor, pc, frame, k_never, issue);
  if (g.current->pending.object == nullptr) return;          // the schedule has ended
  if (imunit::has_block(monitor->schedule)) depend_on_all(); // who is blocked depends on other objects
  if (checks) {
    imunit::judge(*monitor, issue, place, [&](unsigned event) { return is_blocked(*monitor, event); });
    fingerprint_fence();
  }
  imunit::occur(*monitor, issue, g.current->id, place);
}

} // namespace

REEX_EXPORT void reex_imunit_event(Monitor* monitor, int kind, const char* name, const char* thread,
                                   const char* file, unsigned line) {
  if (g.forked_off) return;
  const std::uint64_t issue =
      imunit::issue_of(monitor->schedule, static_cast<imunit::EventKind>(kind), name, thread);
  if (issue != 0) occur_when_allowed(monitor, issue, {file, line}, REEX_CALLER, REEX_FRAME);
}

void reex::occur_at_place(const char* event, void* pc, void* frame) {
  Monitor* const monitor = g_in_force;
  if (monitor == nullptr) return;
  const std::uint64_t issue =
      imunit::issue_of(monitor->schedule, imunit::EventKind::event, event, name_at_place(*g.current));
  if (issue != 0) occur_when_allowed(monitor, issue, {"an operation", 0}, pc, frame);
}

REEX_EXPORT void reex_imunit_thread(const char* name) {
  note_name(*g.current, name);
  snprintf(g.current->own.name, sizeof g.current->own.name, "%s", name);
}

REEX_EXPORT const char* reex_imunit_name() { return g.current->own.name; }
