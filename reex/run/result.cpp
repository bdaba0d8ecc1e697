#include "reex/run/result.h"

#include <algorithm>

namespace reex {

const char* to_string(SwitchReason reason) {
  switch (reason) {
  case SwitchReason::none:
    return "none";
  case SwitchReason::preempted:
    return "preempted";
  case SwitchReason::blocked:
    return "blocked";
  case SwitchReason::finished:
    return "finished";
  case SwitchReason::yielded:
    return "yielded";
  case SwitchReason::slept:
    return "slept";
  case SwitchReason::spinning:
    return "spinning";
  case SwitchReason::slice_over:
    return "slice_over";
  case SwitchReason::held:
    return "held";
  }
  return "unknown";
}

const char* to_string(ErrorKind kind) {
  switch (kind) {
  case ErrorKind::no_threads:
    return "no_threads";
  case ErrorKind::not_started:
    return "not_started";
  case ErrorKind::uncontrolled:
    return "uncontrolled";
  case ErrorKind::diverged:
    return "diverged";
  case ErrorKind::damaged:
    return "damaged";
  case ErrorKind::machine:
    return "machine";
  case ErrorKind::internal:
    return "internal";
  case ErrorKind::none:
    break;
  }
  return "none";
}

const char* to_string(EndReason reason) {
  switch (reason) {
  case EndReason::exhausted:
    return "exhausted";
  case EndReason::bound:
    return "bound";
  case EndReason::failure_limit:
    return "failure_limit";
  case EndReason::schedule_limit:
    return "schedule_limit";
  case EndReason::iteration_limit:
    return "iteration_limit";
  case EndReason::budget:
    return "budget";
  case EndReason::not_begun:
    return "not_begun";
  case EndReason::interrupted:
    return "interrupted";
  case EndReason::not_started:
    return "not_started";
  case EndReason::nondeterministic:
    return "nondeterministic";
  case EndReason::refused:
    return "refused";
  case EndReason::partial:
    return "partial";
  case EndReason::races_differ:
    return "races_differ";
  case EndReason::damaged:
    return "damaged";
  case EndReason::error:
    return "error";
  }
  return "unknown";
}

const char* to_string(ImunitResult::Verdict verdict) {
  switch (verdict) {
  case ImunitResult::Verdict::satisfied:
    return "satisfied";
  case ImunitResult::Verdict::infeasible:
    return "infeasible";
  case ImunitResult::Verdict::not_met:
    return "not-met";
  }
  return "unknown";
}

const char* to_string(BaseProof::Verdict verdict) {
  switch (verdict) {
  case BaseProof::Verdict::passes:
    return "passes";
  case BaseProof::Verdict::fails:
    return "fails";
  case BaseProof::Verdict::not_followed:
    return "not_followed";
  }
  return "unknown";
}

const Frame* user_frame(const std::vector<Frame>& stack) {
  const auto found = std::find_if(stack.begin(), stack.end(), is_of_user);
  return found == stack.end() ? nullptr : &*found;
}

const Frame* shown_frame(const std::vector<Frame>& stack) {
  const auto found = std::find_if(stack.begin(), stack.end(),
                                  [](const Frame& frame) { return is_of_user(frame) && !frame.helper; });
  return found == stack.end() ? user_frame(stack) : &*found;
}

std::string line_of(const Frame& frame) { return frame.file + ':' + std::to_string(frame.line); }

std::vector<std::string> lines_of(const std::vector<ThreadPosition>& sides) {
  std::vector<std::string> lines;
  for (const ThreadPosition& side : sides)
    if (const Frame* frame = user_frame(side.stack); frame != nullptr) lines.push_back(line_of(*frame));
  std::sort(lines.begin(), lines.end());
  return lines;
}

bool same_place(const Finding& a, const Finding& b) {
  return a.key == b.key && lines_of(a.where) == lines_of(b.where);
}

} // namespace reex
