#include "reex/run/verdict.h"

namespace reex {

const char* to_string(Verdict verdict) {
  switch (verdict) {
  case Verdict::passed:
    return "passed";
  case Verdict::no_failure_found:
    return "no-failure-found";
  case Verdict::failed:
    return "failed";
  case Verdict::inconclusive:
    return "inconclusive";
  case Verdict::uncontrolled:
    return "uncontrolled";
  case Verdict::not_started:
    return "not-started";
  case Verdict::interrupted:
    return "interrupted";
  case Verdict::error:
    break;
  }
  return "error";
}

Verdict verdict_of(const TestRun& run) {
  if (run.ended == EndReason::error || run.error.kind == ErrorKind::internal ||
      run.error.kind == ErrorKind::damaged || run.error.kind == ErrorKind::machine)
    return Verdict::error;
  if (!run.failures.empty()) return Verdict::failed;
  if (run.error.kind == ErrorKind::not_started) return Verdict::not_started;
  if (run.error) return Verdict::uncontrolled;
  if (run.ended == EndReason::interrupted) return Verdict::interrupted;
  if (run.ended == EndReason::races_differ || run.ended == EndReason::not_begun) return Verdict::inconclusive;
  // A shard may have no schedules: others have them. And a schedule of IMUnit may be meant to have none.
  const bool stuck = run.imunit && run.imunit->stuck != 0;
  const bool nothing = run.schedules == 0 && !run.shard && !stuck;
  if (nothing || effect_of(all_gaps(run)) == GapEffect::verdict) return Verdict::inconclusive;
  if (run.control.scheduling_points == 0 && !stuck)
    return Verdict::uncontrolled; // one thread: a creation failed, as it may
  return run.exhausted || run.bound_completed ? Verdict::passed : Verdict::no_failure_found;
}

bool complete(const TestRun& run) {
  return run.exhausted || (run.bound && run.bound_completed && *run.bound_completed >= *run.bound);
}

} // namespace reex
