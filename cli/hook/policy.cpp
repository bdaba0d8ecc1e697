#include "cli/hook/policy.h"

namespace reex {

Ruling ruling_of(ExitStatus status) {
  switch (status) {
  case ExitStatus::passed:
  case ExitStatus::skipped:
    return Ruling::lets_through;
  case ExitStatus::failed:
  case ExitStatus::interrupted: // the user wanted an end, and not a push
    return Ruling::stops;
  case ExitStatus::usage:
  case ExitStatus::inconclusive:
  case ExitStatus::not_started:
  case ExitStatus::uncontrolled:
  case ExitStatus::unresolved:
  case ExitStatus::diverged:
  case ExitStatus::internal:
    break;
  }
  return Ruling::by_on_error;
}

bool stops(ExitStatus status, HookOnError on_error) {
  const Ruling ruling = ruling_of(status);
  return ruling == Ruling::stops || (ruling == Ruling::by_on_error && on_error == HookOnError::block);
}

} // namespace reex
