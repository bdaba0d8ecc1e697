#include "reex/runtime/worker/again.h"

#include <cstdio>

#include "reex/runtime/core/process.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/order/promoted.h"

namespace reex {

// After a signal the stack may be damaged, and with it the key.
bool ends_alike(const Ending& first, const Ending& again) {
  return first.end == again.end && first.value == again.value &&
         (first.end == End::signalled || first.key == again.key);
}

void forget_failure(bool told) {
  ControlBlock& control = *g.control;
  KnownFailure& known = control.known[control.failure.index];
  UndoLog& undo_log = control.frontier.undo_log;
  {
    const Transaction whole(undo_log);
    if (!known.forgotten) {
      undo_log.save(known);
      undo_log.save(control.status.distinct_failures);
      known.forgotten = true;
      known.told += told;
      control.status.distinct_failures.fetch_sub(1);
    }
  }
  const Locked locked(search().lock(), control.own.index);
  search().lift_limit(control.failure.position.sample != 0);
}

void explore_without_restores() {
  ControlBlock& control = *g.control;
  control.status.isolation = IsolationMode::fork;
  snprintf(control.status.reason, sizeof control.status.reason,
           "a restore does not bring back all that the test changes: schedule %llu failed after a restore, "
           "and not in a fresh process: %.100s",
           static_cast<unsigned long long>(control.failure.schedule), control.failure.ending.message);
  g.shared->status.restores_at_fault.store(1);
  const Locked locked(search().lock(), control.own.index);
  search().drop_frontier();
  search().start_over();
  begin_check_anew();
}

bool restores_are_at_fault() {
  return g.control->check.restore_at_fault || g.shared->status.restores_at_fault.load() != 0;
}

} // namespace reex
