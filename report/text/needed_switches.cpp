#include "report/text/needed_switches.h"

#include <fmt/format.h>

#include "report/text/text_layout.h"
#include "report/text/trace_rows.h"

namespace reex {
namespace {

const TraceStep* step_of(const std::vector<TraceStep>& trace, std::size_t from, int thread) {
  for (std::size_t i = from; i < trace.size(); ++i)
    if (trace[i].thread == thread) return &trace[i];
  return nullptr;
}

const TraceStep* step_before(const std::vector<TraceStep>& trace, std::size_t end, int thread) {
  for (std::size_t i = end; i-- > 0;)
    if (trace[i].thread == thread) return &trace[i];
  return nullptr;
}

// The index of the first step after the operations that the thread had executed before the switch.
std::size_t place_of(const std::vector<TraceStep>& trace, const Decision& decision) {
  std::uint32_t done = 0;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    if (done == decision.done) return i;
    if (trace[i].thread == decision.left) ++done;
  }
  return trace.size();
}

std::string placed(const TraceStep& step) {
  const std::string location = short_location(step.stack);
  return operation_text(step) + (location.empty() ? "" : " at " + location);
}

bool is_wait(const TraceStep* step) { return step != nullptr && step->operation == "condition wake-up"; }

const char* verb(SwitchReason reason) {
  switch (reason) {
  case SwitchReason::blocked:
    return "cannot go on";
  case SwitchReason::finished:
    return "has finished";
  case SwitchReason::yielded:
    return "yields";
  case SwitchReason::slept:
    return "sleeps";
  case SwitchReason::spinning:
    return "spins";
  case SwitchReason::slice_over:
    return "has had its time slice";
  case SwitchReason::held:
    return "is held by the schedule";
  default:
    return "is preempted";
  }
}

} // namespace

std::vector<NeededSwitch> needed_switches(const Failure& failure) {
  std::vector<NeededSwitch> result;
  const std::vector<TraceStep>& trace = failure.how.trace;
  for (const Decision& decision : failure.how.decisions) {
    if (decision.left < 0) continue;
    NeededSwitch one{.kind = decision.kind, .thread = decision.thread};
    const std::size_t place = place_of(trace, decision);
    if (decision.kind == "late") {
      one.thread = decision.left;
      one.late = decision.thread;
    }
    const bool is_of_machine = decision.kind == "option" || decision.kind == "reuse";
    one.next = is_of_machine ? nullptr : step_of(trace, place, one.thread);
    const TraceStep* at = one.next == nullptr && place < trace.size() ? &trace[place] : one.next;
    one.step = at == nullptr ? static_cast<unsigned>(trace.size()) : at->step;
    if (decision.kind == "run" && one.next != nullptr) one.reason = one.next->reason;
    one.before = step_before(trace, place, decision.left);
    one.left = decision.kind != "run" ? nullptr : step_of(trace, place, decision.left);
    result.push_back(one);
  }
  return result;
}

std::string needed_switch_text(const NeededSwitch& one) {
  const std::string next = one.next == nullptr ? "" : fmt::format(" with {}", placed(*one.next));
  if (one.kind == "option")
    return one.before == nullptr
               ? "a choice of the machine's"
               : fmt::format("T{}: the other outcome of {}", one.before->thread, placed(*one.before));
  if (one.kind == "late")
    return fmt::format("T{} executes {}{} before the signal arrives that was sent to it", one.thread,
                       counted(static_cast<unsigned>(one.late), "more operation", "more operations"),
                       one.next == nullptr ? "" : fmt::format(", {} first,", placed(*one.next)));
  if (one.kind == "loop") return fmt::format("T{} goes on in its loop, up to its end{}", one.thread, next);
  if (one.kind == "spurious" && is_wait(one.next))
    return fmt::format("T{}: {} comes without a notification", one.thread, placed(*one.next));
  if (one.kind == "spurious")
    return one.before == nullptr
               ? fmt::format("T{}: something spurious", one.thread)
               : fmt::format("T{}: {} fails for no reason", one.before->thread, placed(*one.before));
  if (one.kind == "reuse") {
    const bool by_itself = one.before == nullptr || one.before->thread == one.thread;
    return fmt::format("T{}: from here on, malloc gives {} again what it has freed{}", one.thread,
                       by_itself ? "it" : "others",
                       one.before == nullptr ? "" : fmt::format(" (after {})", placed(*one.before)));
  }
  if (one.kind == "wake")
    return one.before == nullptr
               ? fmt::format("T{} is woken", one.thread)
               : fmt::format("T{} wakes T{} by {}", one.before->thread, one.thread, placed(*one.before));
  if (one.before == nullptr) return fmt::format("T{} begins{}", one.thread, next);
  // A thread that joins the one that has finished runs on at once, before the choice.
  const int finished =
      one.reason == SwitchReason::finished && one.next != nullptr ? one.next->from_thread : -1;
  if (finished >= 0 && finished != one.before->thread) {
    std::string text = fmt::format("T{} has finished, and T{} has joined it", finished, one.before->thread);
    if (one.left != nullptr) text += fmt::format(", before {}", placed(*one.left));
    return text + fmt::format("; T{} goes on{}", one.thread, next);
  }
  if (one.before->thread == one.thread) // the default choice was another thread
    return fmt::format("T{} keeps its turn after {}, and goes on{}", one.thread, placed(*one.before), next);
  std::string text =
      fmt::format("T{} {} after {}", one.before->thread, verb(one.reason), placed(*one.before));
  if (one.left != nullptr) text += fmt::format(", before {}", placed(*one.left));
  return text + fmt::format("; T{} goes on{}", one.thread, next);
}

bool touches_change(const NeededSwitch& one) {
  for (const TraceStep* step : {one.before, one.left, one.next})
    if (step != nullptr && touches_change(step->stack)) return true;
  return false;
}

} // namespace reex
