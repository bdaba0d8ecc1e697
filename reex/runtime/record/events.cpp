#include "reex/runtime/record/events.h"

#include "reex/runtime/core/process.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/record/match.h"

namespace reex {

bool g_telling_events = false;

namespace {

// Two of these operations on one object commute. Atomic read-modify-writes and most tries count as writes,
// because it is not known beforehand whether they write.
bool only_reads(Operation operation) {
  switch (operation) {
  case Operation::atomic_load:
  case Operation::plain_read:
  case Operation::library_read:
  case Operation::semaphore_value:
  case Operation::rwlock_read:
  case Operation::rwlock_tryread:
  case Operation::thread_join:
  case Operation::cancel_test:
  case Operation::poll:
    return true;
  default:
    return false;
  }
}

} // namespace

void prepare_events() { g_telling_events = search().wants_events(); }

Event event_of(Fiber& fiber) {
  const Pending& pending = fiber.pending;
  return {.object = reinterpret_cast<std::uint64_t>(pending.object),
          .thread = fiber.slot,
          .bits = g.control->config.search.prioritization.is_basic() ? std::uint8_t{0} : match_bits(fiber),
          .writes = !only_reads(pending.operation)};
}

void tell_executed(Fiber& self) {
  search().executed(event_of(self));
  if (self.pending.operation == Operation::yield || self.pending.operation == Operation::sleep)
    search().gave_way(self.slot);
}

void tell_created(const Fiber& made) { search().created(g.current->slot, made.slot); }

void tell_spin(const Fiber& self) { search().gave_way(self.slot); }

} // namespace reex
