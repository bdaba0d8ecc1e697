#include "reex/trace/holds.h"

namespace reex {
namespace {

// The thread's last acquisition that it has not undone.
const TraceStep32* acquisition(const TraceCopy& trace, std::uint32_t thread, std::uint64_t object) {
  unsigned undone = 0;
  for (std::size_t i = trace.steps.size(); i-- > 0;) {
    const TraceStep32& step = trace.steps[i];
    if (step.thread != thread || step.object != object) continue;
    if (releases(step.operation)) ++undone;
    if (!acquires(step.operation)) continue;
    if (undone == 0) return &step;
    --undone;
  }
  return nullptr;
}

} // namespace

bool acquires(Operation operation) {
  switch (operation) {
  case Operation::mutex_lock:
  case Operation::mutex_trylock:
  case Operation::mutex_timedlock:
  case Operation::cond_reacquire:
  case Operation::rwlock_read:
  case Operation::rwlock_write:
  case Operation::rwlock_tryread:
  case Operation::rwlock_trywrite:
  case Operation::spin_lock:
  case Operation::spin_trylock:
  case Operation::once:
    return true;
  default:
    return false;
  }
}

bool releases(Operation operation) {
  return operation == Operation::mutex_unlock || operation == Operation::rwlock_unlock ||
         operation == Operation::spin_unlock || operation == Operation::once_done;
}

std::vector<Hold> holds_of(const TraceCopy& trace, const TracePosition& position) {
  // Who locks a futex that is free does so by an atomic operation.
  if (position.operation == Operation::futex_own && position.holder >= 0)
    return {{static_cast<std::uint32_t>(position.holder), nullptr}};
  if (!acquires(position.operation) || position.object == 0) return {};
  if (position.holder >= 0) {
    const auto holder = static_cast<std::uint32_t>(position.holder);
    return {{holder, acquisition(trace, holder, position.object)}};
  }
  std::vector<Hold> readers;
  if (position.operation != Operation::rwlock_read && position.operation != Operation::rwlock_write)
    return {};
  for (const TracePosition& other : trace.positions)
    if (const TraceStep32* step = acquisition(trace, other.thread, position.object); step != nullptr)
      readers.push_back({other.thread, step});
  return readers;
}

} // namespace reex
