#include "cli/verdict/run_status.h"

#include <algorithm>
#include <array>

#include "reex/run/verdict.h"

namespace reex {
namespace {

// A strategy that samples claims no bound. Its exploration is complete when it has made all executions that
// the user asked for.
bool as_asked(const TestRun& run) {
  const bool drawn = run.sampled && run.ended == EndReason::schedule_limit;
  return (complete(run) || drawn) && run.inconclusive.executions() == 0;
}

// Whether the test fails, and for at least one failure it is not shown that the base fails in the same way.
bool fails_by_the_change(const TestRun& run) {
  return verdict_of(run) == Verdict::failed &&
         std::any_of(run.failures.begin(), run.failures.end(), [](const Failure& failure) {
           return !failure.base || failure.base->verdict != BaseProof::Verdict::fails;
         });
}

} // namespace

bool can_go_on(const TestRun& run) {
  if (run.ended == EndReason::not_begun) return true;
  if (run.state_file.empty()) return false;
  const bool limited = run.ended == EndReason::schedule_limit && !run.sampled;
  return limited || run.ended == EndReason::interrupted || run.ended == EndReason::budget ||
         run.error.kind == ErrorKind::internal || run.error.kind == ErrorKind::machine;
}

ExitStatus run_status(const std::vector<TestRun>& runs, bool strict, bool interrupted) {
  const auto any = [&](Verdict verdict) {
    return std::any_of(runs.begin(), runs.end(),
                       [&](const TestRun& run) { return verdict_of(run) == verdict; });
  };
  // A test without threads is not a problem if other tests have threads. A test that is not deterministic, or
  // that reex refuses, always is.
  const auto out_of_control = [](const TestRun& run) { return run.error.kind == ErrorKind::uncontrolled; };
  const bool uncontrolled = std::any_of(runs.begin(), runs.end(), out_of_control) ||
                            std::all_of(runs.begin(), runs.end(), [](const TestRun& run) {
                              return verdict_of(run) == Verdict::uncontrolled;
                            });
  const bool short_of_bound = std::any_of(runs.begin(), runs.end(), [](const TestRun& run) {
    const Verdict verdict = verdict_of(run);
    return (verdict == Verdict::passed || verdict == Verdict::no_failure_found) && !as_asked(run);
  });
  if (interrupted || any(Verdict::interrupted)) return ExitStatus::interrupted;
  if (any(Verdict::error)) return ExitStatus::internal;
  if (std::any_of(runs.begin(), runs.end(), fails_by_the_change)) return ExitStatus::failed;
  if (any(Verdict::failed)) return ExitStatus::not_started; // the base also fails
  if (any(Verdict::not_started)) return ExitStatus::not_started;
  if (uncontrolled) return ExitStatus::uncontrolled;
  if (any(Verdict::inconclusive) || (strict && short_of_bound)) return ExitStatus::inconclusive;
  return ExitStatus::passed;
}

ExitStatus joined_status(const std::vector<ExitStatus>& statuses) {
  constexpr std::array k_order = {ExitStatus::interrupted,  ExitStatus::internal,     ExitStatus::failed,
                                  ExitStatus::not_started,  ExitStatus::usage,        ExitStatus::unresolved,
                                  ExitStatus::uncontrolled, ExitStatus::inconclusive, ExitStatus::diverged};
  const auto* worst = std::find_first_of(k_order.begin(), k_order.end(), statuses.begin(), statuses.end());
  if (worst != k_order.end()) return *worst;
  const bool all_skipped =
      !statuses.empty() && std::all_of(statuses.begin(), statuses.end(),
                                       [](ExitStatus status) { return status == ExitStatus::skipped; });
  return all_skipped ? ExitStatus::skipped : ExitStatus::passed;
}

const char* words_of(ExitStatus status) {
  switch (status) {
  case ExitStatus::passed:
    return "no failure";
  case ExitStatus::failed:
    return "failed";
  case ExitStatus::usage:
    return "not run: see the error";
  case ExitStatus::inconclusive:
    return "inconclusive";
  case ExitStatus::not_started:
    return "does not start, or fails at the base too";
  case ExitStatus::uncontrolled:
    return "not under control";
  case ExitStatus::unresolved:
    return "the change cannot be resolved";
  case ExitStatus::diverged:
    return "diverged";
  case ExitStatus::internal:
    return "an error of reex";
  case ExitStatus::skipped:
    return "skipped";
  case ExitStatus::interrupted:
    return "interrupted";
  }
  return "";
}

} // namespace reex
