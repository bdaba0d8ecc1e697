// The end of an execution in which the schedule holds a thread for ever. It is outside of the schedule,
// unless other threads form a deadlock among themselves.
#include "reex/runtime/core/enabled.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/imunit/imunit.h"

namespace reex {
namespace {

// Whether the thread waits for itself, by a chain of threads none of which is held at an event.
bool waits_in_cycle(const Fiber& first) {
  const Fiber* fiber = &first;
  for (unsigned i = 0; i < g.live; ++i) {
    const int holder = is_at_event(*fiber) ? -1 : holder_of(fiber->pending);
    fiber = holder < 0 ? nullptr : live_thread(static_cast<unsigned>(holder));
    if (fiber == nullptr) return false;
    if (fiber == &first) return true;
  }
  return false;
}

void record_positions(ImunitRecord& record) {
  record.positions = 0;
  for (const Fiber* fiber : alive()) {
    if (record.positions == k_imunit_positions) return;
    const Pending& pending = fiber->pending;
    record.position[record.positions++] = {.pc = reinterpret_cast<std::uint64_t>(pending.pc),
                                           .issue = is_at_event(*fiber) ? pending.value : 0,
                                           .thread = fiber->id,
                                           .ordering = static_cast<std::int16_t>(held_for(*fiber)),
                                           .operation = pending.operation,
                                           .spins = fiber->spinning};
  }
}

} // namespace

End end_of_standstill(End otherwise) {
  bool held = false;
  for (const Fiber* fiber : alive()) {
    held = held || held_for(*fiber) >= 0;
    if (waits_in_cycle(*fiber)) return otherwise;
  }
  if (!held) return otherwise;
  ImunitRecord& record = g.control->imunit;
  if (record.positions == 0) record_positions(record);
  return End::stuck;
}

} // namespace reex
