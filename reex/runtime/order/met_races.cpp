#include "reex/runtime/order/met_races.h"

#include "reex/runtime/core/enabled.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/order/annotated.h"
#include "reex/runtime/order/finding.h"
#include "reex/runtime/order/happens_before.h"

namespace reex {
namespace {

bool is_plain(Operation operation) {
  return operation == Operation::plain_read || operation == Operation::plain_write;
}

// A compare-exchange may write nothing.
bool writes(Operation operation) {
  return operation != Operation::plain_read && operation != Operation::atomic_load &&
         operation != Operation::atomic_cas;
}

bool conflict(Operation a, Operation b) { return (is_plain(a) || is_plain(b)) && (writes(a) || writes(b)); }

// Of an atomic operation at least its first byte is accessed.
std::uintptr_t end_of(const Pending& access) {
  const auto low = reinterpret_cast<std::uintptr_t>(access.object);
  return low + (is_plain(access.operation) ? access.value : 1);
}

bool overlap(const Pending& a, const Pending& b) {
  return reinterpret_cast<std::uintptr_t>(a.object) < end_of(b) &&
         reinterpret_cast<std::uintptr_t>(b.object) < end_of(a);
}

} // namespace

void meet_accesses(const Fiber& self) {
  if (!g_ordering || accesses_are_ignored()) return;
  const Pending& mine = self.pending;
  for (const Fiber* other : alive()) {
    const Pending& theirs = other->pending;
    if (other == &self || other->state != FiberState::live || !is_access(theirs.operation) ||
        !conflict(mine.operation, theirs.operation) || !overlap(mine, theirs) ||
        g_ignoring[other->slot] != 0 || is_race_expected(reinterpret_cast<std::uint64_t>(mine.object)))
      continue;
    note_met(reinterpret_cast<std::uint64_t>(mine.pc), reinterpret_cast<std::uint64_t>(theirs.pc));
  }
}

} // namespace reex
